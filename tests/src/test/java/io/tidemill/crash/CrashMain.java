package io.tidemill.crash;

import io.tidemill.process.Command;
import io.tidemill.process.CommandRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The whole trial, as a program. */
@CommandLine.Command(
    name = "tests/crash/run",
    description = {
      "Kills a running query with SIGKILL at random moments while orders come in, lets it finish, and"
          + " compares its result with that of a run that nobody killed and with what DuckDB computes"
          + " from the topic: once with Parquet files as the sink, once with a Kafka topic that is"
          + " read with read_committed.",
      "The broker and the runs are processes of their own, started by ./tidemill. Ends with a line"
          + " '40 kills, 36000 rows, identical' and 0, or with the differences and 1."
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class CrashMain implements Callable<Integer> {
  private static final Duration BROKER_WITHIN = Duration.ofMinutes(5);
  private static final String LISTENS = "Kafka listens on ";

  @Option(names = "--kills", paramLabel = "N", description = "Kills for each sink.")
  private int kills = 20;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Decides the moments. Without it one is chosen, and printed.",
      showDefaultValue = CommandLine.Help.Visibility.NEVER)
  private Long seed;

  @Option(names = "--sink", paramLabel = "SINK", description = "Only 'parquet' or 'kafka'.")
  private String sink = "both";

  @Option(
      names = "--root",
      hidden = true,
      description = "The project's directory.",
      required = true)
  private Path root;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "Where everything is written; must not exist.",
      required = true)
  private Path directory;

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new CrashMain()).execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    long chosen = seed == null ? new Random().nextInt(1_000_000) : seed;
    System.out.println("seed " + chosen + ", everything is in " + directory);
    Path scratch = Files.createDirectories(directory.resolve("scratch"));
    Command command = Command.launcher(root, scratch);
    List<Verdict> verdicts = new ArrayList<>();
    try (CommandRun broker =
        command.run("kafka", "--port", "0", "--dir", directory.resolve("kafka").toString())) {
      String listens = broker.await(line -> line.startsWith(LISTENS), BROKER_WITHIN);
      String servers = listens.substring(LISTENS.length()).strip();
      for (Target target : targets(servers)) {
        System.out.println("-- " + target.job());
        verdicts.add(
            new CrashTrial(
                    CrashSettings.of(kills, chosen),
                    target,
                    command,
                    servers,
                    directory.resolve(target.job().replace(".sql", "")),
                    System.out::println)
                .run());
      }
    }
    return report(verdicts);
  }

  private List<Target> targets(String servers) {
    List<Target> targets = new ArrayList<>();
    if (!sink.equals("kafka")) {
      targets.add(new ParquetTarget());
    }
    if (!sink.equals("parquet")) {
      targets.add(new KafkaTarget(servers));
    }
    return targets;
  }

  private static int report(List<Verdict> verdicts) {
    List<String> differences = new ArrayList<>();
    verdicts.forEach(verdict -> differences.addAll(verdict.differences()));
    differences.forEach(System.out::println);
    System.out.printf(
        "%d kills, %d rows, %s%n",
        verdicts.stream().mapToInt(Verdict::kills).sum(),
        verdicts.stream().mapToLong(Verdict::rows).sum(),
        differences.isEmpty() ? "identical" : "DIFFERENT");
    return differences.isEmpty() ? 0 : 1;
  }
}
