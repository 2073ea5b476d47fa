package io.tidemill.functions;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.host.Fate;
import io.tidemill.host.Faults;
import io.tidemill.host.SeededFaults;
import io.tidemill.host.Tally;
import io.tidemill.host.TidemillFunctions;
import io.tidemill.protocol.Json;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FunctionsIT {
  private static final long SEED = Long.getLong("functions.seed", 20260301);
  private static final Duration MINUTE = Duration.ofSeconds(60);

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

  private static String event(String action) {
    return "{\"action\":\"" + action + "\",\"query\":\"" + Orders.QUERY + "\"}";
  }

  @Test
  void aJobRunsThroughTheDeployedFunctions() throws Exception {
    Orders orders = new Orders(directory);
    orders.add(8, 500);
    try (Deployment deployment =
        deploy(orders, Faults.NONE, MINUTE, Map.of("TIDEMILL_STOP_MARGIN_SECONDS", "10"))) {
      JsonNode answer = deployment.ask(event("trigger"));

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
      JsonNode plan = deployment.ask(event("plan"));
      assertThat(plan.path("guarantee").asText()).isEqualTo("exactly once, by name");
      assertThat(plan.path("compatible").asBoolean()).isTrue();
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
            MINUTE,
            true,
            Map.of("DIR", directory.toString()))) {
      assertThat(deployment.ask(event("trigger")).path("inputRows").asLong()).isEqualTo(20);
      assertThat(deployment.host().logs()).contains("\"PrimingMillis\"");
    }
  }

  @Test
  void largeBatchesAreSpreadOverSeveralInstances() throws Exception {
    Orders orders = new Orders(directory);
    orders.add(6, 400);
    try (Deployment deployment = deploy(orders, Faults.NONE, MINUTE, SMALL_TASKS)) {
      JsonNode answer = deployment.ask(event("trigger"));

      assertThat(answer.path("outcome").asText()).isEqualTo("done");
      assertThat(orders.result()).isNotEmpty().isEqualTo(orders.expected());
      assertThat(deployment.host().tally(TidemillFunctions.BATCH).busyMost()).isGreaterThan(1);
    }
  }

  @Test
  void aLoopingQueryGoesOnByItselfUntilItIsStopped() throws Exception {
    Orders orders = new Orders(directory);
    orders.add(3, 50);
    Map<String, String> looping =
        Map.of("TRIGGER", "1 second", "TIDEMILL_STOP_MARGIN_SECONDS", "8");
    try (Deployment deployment = deploy(orders, Faults.NONE, Duration.ofSeconds(20), looping)) {
      JsonNode first = deployment.ask(event("trigger"));
      assertThat(first.path("outcome").asText()).isEqualTo("continued");
      assertThat(first.path("inputRows").asLong()).isEqualTo(150);
      orders.add(3, 50);
      while (deployment.ask(event("status")).path("batch").asLong()
          <= first.path("lastBatch").asLong()) {
        LockSupport.parkNanos(100_000_000);
      }

      assertThat(deployment.ask(event("trigger")).path("outcome").asText()).isEqualTo("active");
      assertThat(deployment.ask(event("stop")).path("outcome").asText()).isEqualTo("stopped");
      assertThat(deployment.ask(event("trigger")).path("outcome").asText()).isEqualTo("stopped");
      assertThat(deployment.ask(event("start")).path("outcome").asText()).isEqualTo("startable");
      assertThat(deployment.ask(event("status")).path("owner").asText()).isEmpty();
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
    try (Deployment deployment = deploy(orders, faults, MINUTE, variables)) {
      triggerUntilDone(deployment);
      assertThat(deployment.host().tally(TidemillFunctions.BATCH).errors()).isPositive();

      // A run that found nothing new ends no windows; one that has data does, to the last.
      calm.set(true);
      orders.add(1, 200);
      triggerUntilDone(deployment);
      assertThat(orders.result()).as("seed " + SEED).isNotEmpty().isEqualTo(orders.expected());
    }
  }

  private static void triggerUntilDone(Deployment deployment) throws InterruptedException {
    int triggers = 0;
    while (!isDone(deployment)) {
      assertThat(++triggers).as("triggers, seed " + SEED).isLessThan(60);
      LockSupport.parkNanos(500_000_000);
    }
  }

  /** Triggers once; an answer that is lost or an error is no reason to give up. */
  private static boolean isDone(Deployment deployment) throws InterruptedException {
    return trigger(deployment)
        .filter(response -> response.headers().firstValue("X-Amz-Function-Error").isEmpty())
        .filter(response -> response.statusCode() == 200)
        .map(response -> Json.read(response.body(), JsonNode.class).path("outcome").asText())
        .filter("done"::equals)
        .isPresent();
  }

  private static Optional<HttpResponse<byte[]>> trigger(Deployment deployment)
      throws InterruptedException {
    try {
      return Optional.of(deployment.send(event("trigger")));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
