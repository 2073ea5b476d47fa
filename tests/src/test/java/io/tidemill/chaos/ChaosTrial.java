package io.tidemill.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.broker.EmbeddedKafka;
import io.tidemill.chaos.ChaosOrders.Target;
import io.tidemill.checkpoint.Records;
import io.tidemill.lambda.invoke.InvokerSettings;
import io.tidemill.lambda.invoke.LambdaInvoker;
import io.tidemill.lambda.platform.Platform;
import io.tidemill.lambda.run.Call;
import io.tidemill.lambda.run.OrchestratorFunction;
import io.tidemill.lambda.run.TaskInvokers;
import io.tidemill.lambda.task.TaskFunction;
import io.tidemill.protocol.Ids;
import io.tidemill.protocol.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * One query through everything that can go wrong, until it has done so many batches; then, calm, to
 * its end. Orchestrators are triggered by two at the same time.
 */
final class ChaosTrial {
  static final int SHARD_ROWS = 60;

  /** Shorter trials end where they are, so that they stay short. */
  private static final int SWEPT_FROM_BATCHES = 20;

  private static final int ROWS_PER_FILE = 30;
  private static final int FILES_AT_ONCE = 24;

  /** So large that some requests are stored, and some are not. */
  private static final int PAYLOAD_BYTES_MAX = 5_000;

  private static final Duration FREEZE =
      Duration.ofSeconds(Processes.LEASE_SECONDS).plusMillis(300);

  private final Setup setup;
  private final Path directory;
  private final Disturbance disturbance;
  private final ChaosOrders orders;
  private final Processes processes;
  private final ChaosLambda lambda;
  private final Patience patience = new Patience();
  private final AtomicInteger triggers = new AtomicInteger();
  private final AtomicInteger ids = new AtomicInteger();
  private volatile RuntimeException failure;
  private String story = "";
  private long batches;

  /**
   * What is tried.
   *
   * @param where starts the name, which is also that of buckets, tables and topics
   * @param state {@code object} or {@code dynamodb}
   */
  record Setup(String where, String state, Target target, int batches, long seed, Rates rates) {
    String name() {
      return where + "-" + state + "-" + target.name().toLowerCase(Locale.ROOT);
    }
  }

  private final Cloud cloud;
  private final EmbeddedKafka kafka;

  ChaosTrial(Setup setup, Cloud cloud, EmbeddedKafka kafka, Path directory) throws Exception {
    this.setup = setup;
    this.cloud = cloud;
    this.kafka = kafka;
    this.directory = directory;
    this.disturbance = new Disturbance(setup.seed(), setup.rates());
    this.orders = new ChaosOrders(directory, setup.target());
    Map<String, String> variables = new TreeMap<>();
    variables.put("IN", orders.input().toString());
    variables.put("OUT", cloud.results());
    variables.put("CHECKPOINTS", cloud.checkpoints());
    variables.put("STATE", setup.state());
    variables.put("SERVERS", kafka.bootstrapServers());
    variables.put("TOPIC", setup.name());
    if (setup.target() == Target.KAFKA) {
      kafka.createTopic(setup.name(), 3);
    }
    Ids fresh = () -> setup.name() + "-" + ids.incrementAndGet();
    this.processes =
        new Processes(cloud, orders.jobs(), directory.resolve("scratch"), variables, fresh);
    this.lambda =
        new ChaosLambda(
            disturbance,
            chance -> Life.ofTask(chance, FREEZE),
            life -> new TaskFunction(processes.platform(life, 0)));
  }

  /** How often something went wrong. */
  int disturbances() {
    return disturbance.tally().values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Batches committed. */
  long batches() {
    return batches;
  }

  /** What happened, for people. */
  String story() {
    return story;
  }

  /** Runs it; what is wrong with the outcome, empty if all is well. */
  List<String> run() throws Exception {
    try {
      Thread second = new Thread(() -> drive(false), "chaos-second");
      second.start();
      drive(true);
      second.join();
      if (failure != null) {
        throw failure;
      }
      disturbance.calmDown();
      lambda.awaitQuiet();
      finish();
      // A second attempt at a task of the last batches may still write.
      lambda.awaitQuiet();
      return verdict();
    } finally {
      lambda.close();
    }
  }

  /** Runs on without faults until what is swept now and then has been swept. */
  private void finish() throws Exception {
    Run last = new Run();
    long first = -1;
    long batch = -1;
    do {
      orders.add(ROWS_PER_FILE);
      while (!last.trigger().equals("done")) {
        pause(200);
      }
      batch = last.lastBatch;
      first = first < 0 ? batch : first;
    } while (setup.batches() >= SWEPT_FROM_BATCHES
        && batch / Remains.SWEEP_EVERY_BATCHES == first / Remains.SWEEP_EVERY_BATCHES);
  }

  private List<String> verdict() throws Exception {
    Inspection found =
        Inspection.of(
            new Inspection.Place(
                cloud, setup.target(), kafka.bootstrapServers(), setup.name(), directory),
            orders);
    List<String> complaints = new ArrayList<>(found.complaints());
    if (found.batches() < setup.batches()) {
      complaints.add("only " + found.batches() + " batches");
    }
    batches = found.batches();
    story =
        "%s, seed %d: %d batches, %d rows, %d triggers, %s"
            .formatted(
                setup.name(),
                setup.seed(),
                found.batches(),
                found.rows(),
                triggers.get(),
                disturbance.tally());
    return complaints;
  }

  /** Triggers until all files are there and done; only the first one feeds. */
  private void drive(boolean feeds) {
    int files = setup.batches() * ChaosOrders.FILES_PER_BATCH;
    try {
      Run run = new Run();
      for (boolean done = false; !done && failure == null; ) {
        for (int i = 0; feeds && i < FILES_AT_ONCE && orders.files() < files; i++) {
          orders.add(ROWS_PER_FILE);
        }
        boolean all = orders.files() >= files;
        run = run.life.isOver() ? new Run() : run;
        String outcome = run.trigger();
        done = outcome.equals("done") && all;
        triggers.incrementAndGet();
        patience.answered(outcome);
        pause(feeds ? 50 : 500 + disturbance.below(1_000));
      }
    } catch (Exception | AssertionError e) {
      failure = new IllegalStateException("a driver failed, seed " + setup.seed(), e);
    }
  }

  private static void pause(long millis) {
    LockSupport.parkNanos(millis * 1_000_000);
  }

  /** A process of the orchestrator function. */
  private final class Run {
    final Life life = Life.ofRun(disturbance, FREEZE);
    private final OrchestratorFunction function;
    private long lastBatch = -1;

    Run() {
      // Some orchestrators run small batches as one task; what is planned stays.
      Platform platform = processes.platform(life, disturbance.below(2) * 1_000L);
      TaskInvokers invokers =
          (job, checkpoint) ->
              new LambdaInvoker(
                  lambda.client(life),
                  new InvokerSettings(
                      "batch", ChaosLambda.CONCURRENCY, Duration.ofSeconds(30), PAYLOAD_BYTES_MAX),
                  job,
                  checkpoint.blob(),
                  Records.in(checkpoint, platform.ids()),
                  InstantSource.system(),
                  new SplittableRandom(setup.seed()));
      function = new OrchestratorFunction(platform, invokers, (arn, event) -> {});
    }

    /** The outcome, or {@code dead} or {@code failed}. */
    String trigger() throws InterruptedException {
      String event = "{\"action\":\"trigger\",\"query\":\"" + ChaosOrders.QUERY + "\"}";
      try {
        byte[] answer =
            function.handle(
                event.getBytes(StandardCharsets.UTF_8), new Call("orchestrator", () -> 60_000));
        JsonNode told = Json.read(answer, JsonNode.class);
        lastBatch = told.path("lastBatch").asLong(lastBatch);
        return life.isOver() ? "dead" : told.path("outcome").asText();
      } catch (RuntimeException e) {
        return life.isOver() ? "dead" : "failed";
      }
    }
  }
}
