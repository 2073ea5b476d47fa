package io.tidemill.chaos;

import io.tidemill.aws.servers.AwsServers;
import io.tidemill.broker.EmbeddedKafka;
import io.tidemill.chaos.ChaosOrders.Target;
import io.tidemill.protocol.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The whole trial, as a program. */
@CommandLine.Command(
    name = "tests/chaos/run",
    description = {
      "Runs a query through everything that can go wrong, with state in objects and in items, into"
          + " Parquet files and into a Kafka topic, and compares the result with what DuckDB computes"
          + " from the input; then looks for objects that are named and gone, and for those that"
          + " nobody needs and are there.",
      "First in one process with the code of the functions, on files, and on S3Proxy and dynalite;"
          + " then in the packaged functions, whose processes are killed with SIGKILL and stopped"
          + " with SIGSTOP. Ends with one JSON line, and 0 if all is well."
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class ChaosMain implements Callable<Integer> {
  private static final int PARTITIONS = 3;

  @Option(
      names = "--batches",
      paramLabel = "N",
      description = "Batches of each query in one process, on files.")
  private int batches = 200;

  @Option(
      names = "--aws-batches",
      paramLabel = "N",
      description = "Batches of each query in one process, on S3Proxy and dynalite.")
  private int awsBatches = 50;

  @Option(
      names = "--process-batches",
      paramLabel = "N",
      description = "Batches of each query in the packaged functions.")
  private int processBatches = 50;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Decides what goes wrong. Without it one is chosen, and printed.",
      showDefaultValue = CommandLine.Help.Visibility.NEVER)
  private Long seed;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "Where everything is written; must not exist.",
      required = true)
  private Path directory;

  private final List<String> complaints = new ArrayList<>();
  private final Map<String, Long> done = new LinkedHashMap<>();
  private EmbeddedKafka kafka;
  private AwsServers servers;
  private long chosen;

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new ChaosMain()).execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    chosen = seed == null ? new Random().nextInt(1_000_000) : seed;
    System.out.println("seed " + chosen + ", everything is in " + directory);
    Files.createDirectories(directory);
    try (EmbeddedKafka broker = EmbeddedKafka.start();
        AwsServers started = AwsServers.start(Optional.of(directory.resolve("servers")))) {
      kafka = broker;
      servers = started;
      for (String state : List.of("object", "dynamodb")) {
        for (Target target : Target.values()) {
          onFiles(new ChaosTrial.Setup("files", state, target, batches, chosen, Rates.OFTEN));
          onServers(new ChaosTrial.Setup("aws", state, target, awsBatches, chosen, Rates.OFTEN));
          inFunctions(
              new ChaosTrial.Setup(
                  "functions", state, target, processBatches, chosen, Rates.STORAGE_ONLY));
        }
      }
    }
    complaints.forEach(System.out::println);
    System.out.println(
        Json.write(
            Map.of(
                "seed",
                chosen,
                "batches",
                done,
                "identical",
                complaints.isEmpty(),
                "complaints",
                complaints.size())));
    return complaints.isEmpty() ? 0 : 1;
  }

  private void onFiles(ChaosTrial.Setup setup) throws Exception {
    AtomicInteger ids = new AtomicInteger();
    Path own = directory.resolve(setup.name());
    inOneProcess(setup, new DiskCloud(own.resolve("cloud"), () -> "d-" + ids.incrementAndGet()));
  }

  private void onServers(ChaosTrial.Setup setup) throws Exception {
    AtomicInteger ids = new AtomicInteger();
    inOneProcess(setup, new AwsCloud(servers, setup.name(), () -> "a-" + ids.incrementAndGet()));
  }

  private void inOneProcess(ChaosTrial.Setup setup, Cloud cloud) throws Exception {
    if (setup.batches() == 0) {
      return;
    }
    System.out.println("-- " + setup.name());
    try (cloud) {
      ChaosTrial trial = new ChaosTrial(setup, cloud, kafka, directory.resolve(setup.name()));
      add(setup, trial.run(), trial.batches());
      System.out.println(trial.story());
    }
  }

  private void inFunctions(ChaosTrial.Setup setup) throws Exception {
    if (setup.batches() == 0) {
      return;
    }
    System.out.println("-- " + setup.name());
    kafka.createTopic(setup.name(), PARTITIONS);
    Inspection found =
        new ProcessTrial(
                setup,
                servers,
                kafka.bootstrapServers(),
                directory.resolve(setup.name()),
                System.out::println)
            .run();
    add(setup, found.complaints(), found.batches());
    System.out.println("  " + found.batches() + " batches, " + found.rows() + " rows");
  }

  private void add(ChaosTrial.Setup setup, List<String> found, long committed) {
    done.put(setup.name(), committed);
    found.forEach(complaint -> complaints.add(setup.name() + ": " + complaint));
  }
}
