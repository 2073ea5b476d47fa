package io.tidemill.crash;

import io.tidemill.demo.ExpectedRevenue;
import io.tidemill.process.Command;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * One query, killed again and again while orders come in, then left to finish. Its result must be
 * that of a run over the same topic that nobody killed, and what DuckDB computes from the topic.
 */
final class CrashTrial {
  private static final long FINISH_RECORDS_MAX = 50_000;

  private final CrashSettings settings;
  private final Target target;
  private final Command command;
  private final String servers;
  private final Path directory;
  private final Consumer<String> print;

  /**
   * @param directory a fresh one for all that is written
   * @param print takes lines for people
   */
  CrashTrial(
      CrashSettings settings,
      Target target,
      Command command,
      String servers,
      Path directory,
      Consumer<String> print) {
    this.settings = settings;
    this.target = target;
    this.command = command;
    this.servers = servers;
    this.directory = directory;
    this.print = print;
  }

  Verdict run() throws Exception {
    String topic = "orders-" + target.job().replace(".sql", "");
    Runs killed = runs(topic, "killed");
    List<Runs> all =
        settings.unkilled() ? List.of(killed, runs(topic, "unkilled")) : List.of(killed);
    Killer killer = new Killer(settings, killed, print);
    ExpectedRevenue produced;
    try (Production production = new Production(servers, topic, settings)) {
      killer.killAll(production);
      produced = production.await();
    }
    long batchRecords = Math.min(FINISH_RECORDS_MAX, settings.orders().batchRecordsMax());
    for (Runs runs : all) {
      runs.finish(batchRecords);
    }
    // A batch of its own: read together with others, it would make those that come later late.
    Production.closeWindows(servers, topic);
    for (Runs runs : all) {
      runs.finish(batchRecords);
    }
    print.accept(
        "all %,d records read".formatted(produced.records()) + target.remark(killed.query()));
    return compare(killer, all, topic, produced);
  }

  private Runs runs(String topic, String name) throws Exception {
    Runs runs = new Runs(command, servers, topic, name, target, directory.resolve(name));
    target.prepare(runs.query());
    return runs;
  }

  private Verdict compare(Killer killer, List<Runs> all, String topic, ExpectedRevenue produced)
      throws Exception {
    List<String> differences = new ArrayList<>();
    try (Results results = new Results()) {
      results.computeTruth(servers, topic);
      for (Runs runs : all) {
        target.load(results.connection(), runs.name(), runs.query(), runs.output());
        results.loadRejected(runs.name() + "_rejected", runs.output());
        differences.addAll(results.differences(runs.name(), "truth"));
      }
      if (settings.unkilled()) {
        differences.addAll(results.differences("killed", "unkilled"));
        differences.addAll(results.differences("killed_rejected", "unkilled_rejected"));
      }
      expect(
          "malformed records", produced.malformed(), results.count("killed_rejected"), differences);
      expect("records in the topic", produced.records() + 1, results.count("parsed"), differences);
      return new Verdict(settings.kills(), killer.hits(), results.count("killed"), differences);
    }
  }

  private static void expect(String what, long expected, long found, List<String> differences) {
    if (expected != found) {
      differences.add(what + ": " + found + ", and should be " + expected);
    }
  }
}
