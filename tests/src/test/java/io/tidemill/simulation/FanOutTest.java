package io.tidemill.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.checkpoint.Head;
import io.tidemill.checkpoint.HeadStore;
import io.tidemill.checkpoint.OwnerProbe;
import io.tidemill.checkpoint.Records;
import io.tidemill.lambda.invoke.InvokerSettings;
import io.tidemill.lambda.invoke.LambdaInvoker;
import io.tidemill.lambda.message.JobReference;
import io.tidemill.orchestrator.Invoker;
import io.tidemill.orchestrator.OrchestratorSettings;
import io.tidemill.orchestrator.QueryRun;
import io.tidemill.orchestrator.RunEnvironment;
import io.tidemill.orchestrator.RunSpec;
import io.tidemill.orchestrator.SteppedRun;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.protocol.task.TaskResult;
import io.tidemill.query.plan.StateForm;
import io.tidemill.query.plan.Trigger;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A query with as many partitions and tasks as a large one has. What it must do, Truth says. */
class FanOutTest {
  private static final int PARTITIONS = 1_000;
  private static final int CONCURRENCY = 200;
  private static final SimulatedQuery QUERY =
      new SimulatedQuery("wide", Grouping.KEY, StateForm.OBJECT, 1);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Test
  void aThousandPartitionsAreReadByTwoHundredFunctionsAtOnce() throws Exception {
    try (Wide wide = new Wide(PARTITIONS)) {
      wide.addRows();
      wide.run();

      assertThat(wide.lambda.runningMost()).isEqualTo(CONCURRENCY);
      wide.assertComplete();
      long batch = wide.batch();

      wide.addRows();
      wide.run();

      assertThat(wide.lambda.runningMost()).isEqualTo(CONCURRENCY);
      assertThat(wide.batch()).isGreaterThan(batch);
      wide.assertComplete();
    }
  }

  /** A plan is for ever, also for a run that may have fewer tasks at once than the plan has. */
  @Test
  void aPlanOfMoreTasksThanMayRunAtOnceIsRunInTurns() throws Exception {
    try (Wide wide = new Wide(PARTITIONS)) {
      wide.addRows();
      wide.planAndDie();
      assertThat(wide.head().planned().orElseThrow().layout().parts().get(0)).hasSize(PARTITIONS);

      wide.run();

      assertThat(wide.lambda.runningMost()).isEqualTo(CONCURRENCY);
      assertThat(wide.lambda.invoked()).isGreaterThanOrEqualTo(PARTITIONS + CONCURRENCY);
      wide.assertComplete();
    }
  }

  @Test
  void headsTooLargeForTheRegisterAreSpilledAndCollected() throws Exception {
    try (Wide wide = new Wide(3 * PARTITIONS)) {
      for (int round = 0; round < 4; round++) {
        wide.addRows();
        wide.run();
      }

      wide.assertComplete();
      assertThat(wide.storage.registerBytesMost()).isLessThan(300_000);
      assertThat(wide.batch()).isGreaterThan(5);
      List<String> heads = wide.storage.blob().list("heads/", "", 1_000);
      assertThat(heads).isNotEmpty();
      assertThat(heads.get(0))
          .as("the oldest")
          .isGreaterThan("heads/0/" + "%010d".formatted(wide.batch() - 2));
    }
  }

  /** Everything about the query. */
  private static final class Wide implements AutoCloseable {
    private final Chance chance = new Chance(0);
    private final SimulatedSource source;
    private final SimulatedSink sink = new SimulatedSink(chance, new Trace());
    private final SimulatedStorage storage = SimulatedStorage.inMemory(false);
    private final Truth truth;
    private final InMemoryLambda lambda;
    private final AtomicInteger ids = new AtomicInteger();
    private long rowIds;

    Wide(int partitions) {
      chance.calmDown();
      source = new SimulatedSource(partitions, chance);
      truth = new Truth(storage, sink, new Expected(source, QUERY.grouping()), QUERY);
      lambda = new InMemoryLambda(CONCURRENCY, this::invocation);
      sink.watchedBy(truth);
      storage.watchedBy(truth);
    }

    private Invocation invocation(TaskRequest request) {
      truth.onRequest(request);
      return new Invocation(request, source, storage.view(), QUERY);
    }

    Head head() {
      return new HeadStore(storage.blob(), storage.register()).read().orElseThrow().head();
    }

    void addRows() {
      for (int partition = 0; partition < source.partitionCount(); partition++) {
        for (int row = 0; row < 2; row++) {
          source.add(partition, new Row(rowIds, "k" + rowIds % 1_500, rowIds));
          rowIds++;
        }
      }
    }

    private static RunSpec spec() {
      OrchestratorSettings settings =
          new OrchestratorSettings(0, 1, 0, 1, 60_000, 10, 100, 10_000, 100, 1, 0, 0);
      return new RunSpec(
          SimulatedPlans.of(QUERY, Trigger.availableNow()), settings, List.of(), true);
    }

    private RunEnvironment environment(Invoker invoker) {
      return new RunEnvironment(
          SimulatedConnectors.of(source, sink),
          storage.blob(),
          storage.register(),
          invoker,
          InstantSource.system(),
          () -> "id-" + ids.incrementAndGet(),
          "owner",
          OwnerProbe.UNKNOWN);
    }

    private LambdaInvoker invoker() {
      return new LambdaInvoker(
          lambda,
          new InvokerSettings("batch", CONCURRENCY, PATIENCE, InvokerSettings.PAYLOAD_BYTES_MAX),
          new JobReference("wide.sql", "hash", "wide", Map.of()),
          storage.blob(),
          Records.in(storage.blob()),
          InstantSource.system(),
          new SplittableRandom(0));
    }

    void run() throws InterruptedException {
      try (LambdaInvoker invoker = invoker()) {
        QueryRun run = QueryRun.start(spec(), environment(invoker));
        assertThat(run.awaitTermination(PATIENCE)).as("the run ends").isTrue();
      }
    }

    long batch() {
      return head().committed().batch().orElseThrow().value();
    }

    void assertComplete() {
      truth.assertComplete(source.rowCount());
    }

    /** A run that may have a task per partition plans a batch and dies. */
    void planAndDie() {
      SteppedRun dying =
          SteppedRun.open(spec(), environment(new Nobody(source.partitionCount())), () -> {});
      while (storage.register().read("head").isEmpty()) {
        dying.step();
      }
    }

    @Override
    public void close() {
      lambda.close();
    }
  }

  private record Nobody(int parallelism) implements Invoker {
    @Override
    public CompletableFuture<TaskResult> invoke(TaskRequest request) {
      return new CompletableFuture<>();
    }

    @Override
    public void close() {}
  }
}
