package io.tidemill.functions;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.host.Fate;
import io.tidemill.host.Faults;
import io.tidemill.host.SeededFaults;
import io.tidemill.host.Tally;
import io.tidemill.host.TidemillFunctions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FunctionsIT {
  private static final long SEED = Long.getLong("functions.seed", 20260301);

  /** Time for all there is in one run, which alone ends the windows of what it has read. */
  private static final Duration RUN = Duration.ofMinutes(5);

  private static final Duration LOOP = Duration.ofMinutes(1);

  /** Many seconds: whoever triggers at once comes before a run that goes on by itself. */
  private static final int LOOKS_PER_TRIGGER = 100;

  /** Makes every batch several tasks per stage. */
  private static final Map<String, String> SMALL_TASKS =
      Map.of("TIDEMILL_WHOLE_BATCH_ROWS", "0", "TIDEMILL_SHARD_ROWS", "100");

  @TempDir Path directory;

  private Deployment deploy(
      Orders orders, Faults faults, Duration timeout, Map<String, String> variables) {
    Map<String, String> all = new TreeMap<>(variables);
    all.put("DIR", directory.toString());
    return new Deployment(
        directory.resolve("host"), orders.jobs().toString(), faults, timeout, false, all);
  }

  @Test
  void aJobRunsThroughTheDeployedFunctions() throws Exception {
    Orders orders = new Orders(directory);
    orders.add(8, 500);
    try (Deployment deployment =
        deploy(orders, Faults.NONE, RUN, Map.of("TIDEMILL_STOP_MARGIN_SECONDS", "10"))) {
      JsonNode answer = deployment.ask("trigger", Orders.QUERY);

      assertThat(answer.path("outcome").asText()).isEqualTo("done");
      assertThat(answer.path("inputRows").asLong()).isEqualTo(4_000);
      assertThat(orders.result()).isNotEmpty().isEqualTo(orders.expected());
      Tally tasks = deployment.host().tally(TidemillFunctions.BATCH);
      assertThat(tasks.coldStarts()).isEqualTo(1);

      JsonNode idle = deployment.ask("{\"action\":\"trigger\",\"job\":\"" + Orders.JOB + "\"}");
      assertThat(idle.path("batches").asLong()).isZero();
      assertThat(deployment.host().tally(TidemillFunctions.BATCH).invocations())
          .isEqualTo(tasks.invocations());
      assertThat(deployment.host().logs()).contains("\"Namespace\":\"Tidemill\"");
      assertThat(scratch()).as("the place for temporary files is an instance's own").isNotEmpty();
      JsonNode plan = deployment.ask("plan", Orders.QUERY);
      assertThat(plan.path("guarantee").asText()).isEqualTo("exactly once, by name");
      assertThat(plan.path("compatible").asBoolean()).isTrue();
    }
  }

  private List<Path> scratch() throws IOException {
    try (Stream<Path> found = Files.walk(directory.resolve("host"))) {
      return found
          .filter(path -> path.getFileName().toString().startsWith("tidemill-"))
          .filter(path -> path.getParent().endsWith("tmp"))
          .toList();
    }
  }

  @Test
  void aSnapshotIsTakenOfAFunctionThatHasRunAQuery() throws Exception {
    Orders orders = new Orders(directory);
    orders.add(2, 10);
    try (Deployment deployment =
        new Deployment(
            directory.resolve("host"),
            orders.jobs().toString(),
            Faults.NONE,
            RUN,
            true,
            Map.of("DIR", directory.toString()))) {
      JsonNode answer = deployment.ask("trigger", Orders.QUERY);
      assertThat(answer.path("inputRows").asLong()).isEqualTo(20);
      assertThat(deployment.host().logs()).contains("\"PrimingMillis\"");
    }
  }

  @Test
  void largeBatchesAreSpreadOverSeveralInstances() throws Exception {
    Orders orders = new Orders(directory);
    orders.add(6, 400);
    try (Deployment deployment = deploy(orders, Faults.NONE, RUN, SMALL_TASKS)) {
      JsonNode answer = deployment.ask("trigger", Orders.QUERY);

      assertThat(answer.path("outcome").asText()).isEqualTo("done");
      assertThat(orders.result()).isNotEmpty().isEqualTo(orders.expected());
      assertThat(deployment.host().tally(TidemillFunctions.BATCH).busyMost()).isGreaterThan(1);
    }
  }

  @Test
  void aLoopingQueryGoesOnByItselfUntilItIsStopped() throws Exception {
    Orders orders = new Orders(directory);
    orders.add(3, 50);
    // Short leases, so that a run that is killed for its time is not taken for an active one.
    Map<String, String> looping = Map.of("TRIGGER", "1 second", "TIDEMILL_LEASE_SECONDS", "3");
    // It loops for half of the time: the margin is never more than the other half.
    try (Deployment deployment = deploy(orders, Faults.NONE, LOOP, looping)) {
      JsonNode first = deployment.ask("trigger", Orders.QUERY);
      assertThat(first.path("outcome").asText()).isEqualTo("continued");
      assertThat(first.path("inputRows").asLong()).isEqualTo(150);
      orders.add(3, 50);
      awaitRows(deployment, 300);

      deployment.awaitOutcome("active", Orders.QUERY, "the run does not go on");
      assertThat(outcome(deployment, "stop")).isEqualTo("stopped");
      assertThat(outcome(deployment, "trigger")).isEqualTo("stopped");
      assertThat(outcome(deployment, "start")).isEqualTo("startable");
      assertThat(deployment.ask("status", Orders.QUERY).path("owner").asText()).isEmpty();
    }
  }

  private static String outcome(Deployment deployment, String action) throws Exception {
    return deployment.ask(action, Orders.QUERY).path("outcome").asText();
  }

  /** Waits for rows that a run reads by itself; on a schedule, as a killed one is gone for good. */
  private static void awaitRows(Deployment deployment, long rows) throws Exception {
    long from = System.nanoTime();
    for (int looks = 1; deployment.inputRows(Orders.QUERY) < rows; looks++) {
      deployment.pause(from, "fewer than " + rows + " rows are read");
      if (looks % LOOKS_PER_TRIGGER == 0) {
        deployment.trigger(Orders.QUERY);
      }
    }
  }

  @Test
  void killsLossesAndRepeatsChangeNothing() throws Exception {
    Orders orders = new Orders(directory);
    orders.add(12, 200);
    AtomicBoolean calm = new AtomicBoolean();
    Faults seeded =
        new SeededFaults(
            SEED,
            new SeededFaults.Rates(
                0.05, 0.05, 0.1, 0.15, 0.15, 0.1, Duration.ofSeconds(3), Duration.ofSeconds(4)));
    Faults faults = function -> calm.get() ? Fate.GOOD : seeded.next(function);
    Map<String, String> variables = new TreeMap<>(SMALL_TASKS);
    variables.put("FILES", "2");
    variables.put("TIDEMILL_LEASE_SECONDS", "3");
    variables.put("TIDEMILL_INLINE_SHUFFLE_BYTES", "0");
    try (Deployment deployment = deploy(orders, faults, RUN, variables)) {
      deployment.awaitOutcome("done", Orders.QUERY, "seed " + SEED);
      assertThat(deployment.host().tally(TidemillFunctions.BATCH).errors()).isPositive();

      calm.set(true);
      deployment.awaitQuiet();

      // A run that found nothing new ends no windows; one that has data does, to the last.
      orders.add(1, 200);
      deployment.awaitOutcome("done", Orders.QUERY, "seed " + SEED);
      assertThat(orders.result()).as("seed " + SEED).isNotEmpty().isEqualTo(orders.expected());
    }
  }
}
