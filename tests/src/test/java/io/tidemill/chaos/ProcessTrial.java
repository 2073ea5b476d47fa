package io.tidemill.chaos;

import io.tidemill.aws.servers.AwsServers;
import io.tidemill.functions.Deployment;
import io.tidemill.host.Fate;
import io.tidemill.host.Faults;
import io.tidemill.host.SeededFaults;
import io.tidemill.host.Tally;
import io.tidemill.host.TidemillFunctions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A query in the deployed functions, whose processes are killed and stopped, whose invocations are
 * lost and doubled, and whose storage does not answer; then, calm, to its end.
 */
final class ProcessTrial {
  private static final int LEASE_SECONDS = 3;
  private static final Duration RUN = Duration.ofSeconds(40);
  private static final int ROWS_PER_FILE = 30;
  private static final int FILES_AT_ONCE = 24;

  /** Freezes of up to twice a lease. */
  private static final Duration FREEZE_MAX = Duration.ofSeconds(2 * LEASE_SECONDS);

  private static final SeededFaults.Rates TASKS =
      new SeededFaults.Rates(
          0.05, 0.03, 0.05, 0.08, 0.04, 0.02, Duration.ofMillis(800), FREEZE_MAX);
  private static final SeededFaults.Rates RUNS =
      new SeededFaults.Rates(0.05, 0.05, 0.1, 0.2, 0.4, 0.25, Duration.ofSeconds(15), FREEZE_MAX);

  private final ChaosTrial.Setup setup;
  private final AwsServers servers;
  private final String kafka;
  private final Path directory;
  private final Consumer<String> print;
  private final Disturbance storage;
  private final ChaosOrders orders;
  private final Patience patience = new Patience();
  private final AtomicInteger triggers = new AtomicInteger();
  private final AtomicInteger ids = new AtomicInteger();
  private volatile boolean calm;
  private volatile Exception failure;

  /**
   * @param servers of S3 and DynamoDB
   * @param kafka bootstrap servers; the topic of the setup's name is there
   * @param directory a fresh one
   * @param print takes lines for people
   */
  ProcessTrial(
      ChaosTrial.Setup setup,
      AwsServers servers,
      String kafka,
      Path directory,
      Consumer<String> print)
      throws IOException {
    this.setup = setup;
    this.servers = servers;
    this.kafka = kafka;
    this.directory = directory;
    this.print = print;
    this.storage = new Disturbance(setup.seed(), setup.rates());
    this.orders = new ChaosOrders(directory, setup.target());
  }

  Inspection run() throws Exception {
    AwsCloud cloud = new AwsCloud(servers, setup.name(), () -> "look-" + ids.incrementAndGet());
    try (cloud;
        FaultyProxy s3 = new FaultyProxy(servers.s3(), storage::ofStorage);
        FaultyProxy dynamo = new FaultyProxy(servers.dynamo(), storage::ofStorage);
        Deployment deployment =
            new Deployment(
                directory.resolve("host"),
                orders.jobs().toString(),
                faults(),
                RUN,
                false,
                variables(cloud, s3, dynamo))) {
      disturb(deployment);
      calm = true;
      storage.calmDown();
      deployment.awaitQuiet();
      finish(deployment);
      // A second attempt at a task of the last batch may still write.
      deployment.awaitQuiet();
      tell(deployment);
      return Inspection.of(
          new Inspection.Place(cloud, setup.target(), kafka, setup.name(), directory), orders);
    }
  }

  private Faults faults() {
    Faults tasks = new SeededFaults(setup.seed(), TASKS);
    Faults runs = new SeededFaults(setup.seed(), RUNS);
    return function -> {
      if (calm) {
        return Fate.GOOD;
      }
      return (function.equals(TidemillFunctions.BATCH) ? tasks : runs).next(function);
    };
  }

  private Map<String, String> variables(AwsCloud cloud, FaultyProxy s3, FaultyProxy dynamo) {
    Map<String, String> variables = new TreeMap<>(cloud.environment());
    variables.put("AWS_ENDPOINT_URL_S3", s3.endpoint().toString());
    variables.put("AWS_ENDPOINT_URL_DYNAMODB", dynamo.endpoint().toString());
    variables.put("IN", orders.input().toString());
    variables.put("OUT", cloud.results());
    variables.put("CHECKPOINTS", cloud.checkpoints());
    variables.put("STATE", setup.state());
    variables.put("SERVERS", kafka);
    variables.put("TOPIC", setup.name());
    variables.put("TIDEMILL_WHOLE_BATCH_ROWS", "0");
    variables.put("TIDEMILL_SHARD_ROWS", Integer.toString(ChaosTrial.SHARD_ROWS));
    variables.put("TIDEMILL_INLINE_SHUFFLE_BYTES", "0");
    variables.put("TIDEMILL_LEASE_SECONDS", Integer.toString(LEASE_SECONDS));
    variables.put("TIDEMILL_STOP_MARGIN_SECONDS", "10");
    return variables;
  }

  /** Two who trigger, of whom one brings the files, until all files are done. */
  private void disturb(Deployment deployment) throws Exception {
    Thread second = new Thread(() -> drive(deployment, false), "chaos-second");
    second.start();
    drive(deployment, true);
    second.join();
    if (failure != null) {
      throw failure;
    }
  }

  private void drive(Deployment deployment, boolean feeds) {
    int files = setup.batches() * ChaosOrders.FILES_PER_BATCH;
    try {
      for (boolean done = false; !done && failure == null; ) {
        for (int i = 0; feeds && i < FILES_AT_ONCE && orders.files() < files; i++) {
          orders.add(ROWS_PER_FILE);
        }
        boolean all = orders.files() >= files;
        String outcome = deployment.trigger(ChaosOrders.QUERY);
        done = outcome.equals("done") && all;
        if (!outcome.equals("active")) {
          print.accept(
              "  %d of %d files there, trigger %d: %s"
                  .formatted(orders.files(), files, triggers.get(), outcome));
        }
        triggers.incrementAndGet();
        patience.answered(outcome);
        pause(feeds ? 300 : 1_000 + storage.below(4_000));
      }
    } catch (Exception e) {
      failure = e;
    }
  }

  /** Only a run that has read something ends windows, and not if its time is over before. */
  private void finish(Deployment deployment) throws Exception {
    for (String outcome = "continued"; !outcome.equals("done"); pause(500)) {
      if (outcome.equals("continued")) {
        orders.add(ROWS_PER_FILE);
      }
      outcome = deployment.trigger(ChaosOrders.QUERY);
      patience.answered(outcome);
    }
  }

  private void tell(Deployment deployment) {
    List<String> told = new ArrayList<>();
    for (String function : List.of(TidemillFunctions.BATCH, TidemillFunctions.ORCHESTRATOR)) {
      Tally tally = deployment.host().tally(function);
      told.add(
          "%s: %d invocations, %d errors, %d throttled, %d cold starts"
              .formatted(
                  function,
                  tally.invocations(),
                  tally.errors(),
                  tally.throttles(),
                  tally.coldStarts()));
    }
    print.accept("  " + String.join("; ", told) + "; storage: " + storage.tally());
  }

  private static void pause(long millis) {
    LockSupport.parkNanos(millis * 1_000_000);
  }
}
