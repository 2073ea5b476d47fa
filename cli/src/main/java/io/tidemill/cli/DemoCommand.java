package io.tidemill.cli;

import io.tidemill.broker.EmbeddedKafka;
import io.tidemill.demo.ExpectedRevenue;
import io.tidemill.demo.OrdersSettings;
import io.tidemill.protocol.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows a query at work on real Kafka, and checks its result. */
@Command(
    name = "demo",
    description = {
      "Starts a Kafka broker, fills a topic with orders, runs a job over it in several batches, and"
          + " checks the result against what the generator of the orders knows, to the cent.",
      "The job is examples/orders/revenue.sql."
    },
    showDefaultValues = true)
final class DemoCommand implements Callable<Integer>, Verbose {
  @Mixin private SharedOptions shared;

  @Option(names = "--records", paramLabel = "N", description = "Orders to make.")
  private long records = 1_000_000;

  @Option(
      names = "--json",
      description = "Print an object per batch, and at the end one with the totals.")
  private boolean json;

  @Option(
      names = "--keep",
      paramLabel = "DIR",
      description =
          "Keep the topic, the result and the checkpoint there; 'tidemill kafka --dir DIR/kafka'"
              + " serves the topic again.")
  private Path keep;

  @Override
  public Integer call() throws InterruptedException {
    OrdersSettings settings = DemoOrders.settings(records);
    try (ProgressDisplay display = Displays.onStandardError();
        WorkDirectory work = WorkDirectory.keptIn(keep)) {
      display.say("Starting a Kafka broker.");
      try (EmbeddedKafka kafka = EmbeddedKafka.start(work.path().resolve("kafka"), 0)) {
        ExpectedRevenue expected = DemoOrders.produce(kafka.bootstrapServers(), settings, display);
        return run(kafka.bootstrapServers(), settings, expected, work.path(), display);
      }
    }
  }

  private int run(
      String bootstrapServers,
      OrdersSettings settings,
      ExpectedRevenue expected,
      Path directory,
      ProgressDisplay display)
      throws InterruptedException {
    display.say(
        text(
            "Running %s in batches of %,d records.",
            DemoOrders.JOB, DemoOrders.batchRecords(settings)));
    Path output = directory.resolve("out");
    Map<String, String> variables = new TreeMap<>(DemoOrders.variables(bootstrapServers, settings));
    variables.put("OUT", output.toString());
    JobRequest request =
        new JobRequest(
            new JobSource.SqlFile(DemoOrders.job().toString()),
            variables,
            Optional.empty(),
            Optional.empty(),
            false);
    JobTotals totals = new JobTotals(display, json);
    long start = System.nanoTime();
    JobRun run = JobRun.stoppedBySignals(display);
    LocalJobs.run(request, totals, run);
    double seconds = DemoOrders.seconds(start);
    if (run.signalled()) {
      display.say("Stopped before the end, so there is nothing to check.");
      return ExitCode.DONE;
    }
    DemoResult result = DemoResult.read(output);
    DemoSummary summary = DemoSummary.of(totals, result, expected, seconds);
    return report(summary, result, expected, display);
  }

  private int report(
      DemoSummary summary, DemoResult result, ExpectedRevenue expected, ProgressDisplay display) {
    display.say(
        text(
            "%,d records in %d batches and %.1f s, %,.0f a second: %,d rows.",
            summary.records(),
            summary.batches(),
            summary.seconds(),
            summary.records() / summary.seconds(),
            summary.rowsOut()));
    if (!json) {
      System.out.println("window            customer       revenue  orders");
      result.top().forEach(System.out::println);
    }
    List<String> differences = summary.differences(result, expected);
    differences.forEach(difference -> display.say("WRONG " + difference));
    if (differences.isEmpty()) {
      display.say(
          text(
              "The revenue is %,.2f, and every total is what the generator says it must be.",
              summary.revenueTotal()));
    }
    if (json) {
      display.close();
      System.out.println(Json.write(summary));
    }
    return differences.isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  @Override
  public boolean verbose() {
    return shared.verbose();
  }
}
