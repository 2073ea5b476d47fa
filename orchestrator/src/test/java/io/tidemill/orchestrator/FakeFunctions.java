package io.tidemill.orchestrator;

import io.tidemill.checkpoint.TaskRecords;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.source.SourceStats;
import io.tidemill.protocol.state.StateChange;
import io.tidemill.protocol.state.StateFile;
import io.tidemill.protocol.state.StateVersion;
import io.tidemill.protocol.task.OperatorStats;
import io.tidemill.protocol.task.ShuffleFile;
import io.tidemill.protocol.task.SplitAssignment;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.protocol.task.TaskResult;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.Stage;
import io.tidemill.storage.Blob;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/**
 * Functions that answer at once: they count rows, keep a number of state rows, and emit one output
 * per task. Tasks can be made to fail or to wait.
 */
final class FakeFunctions implements Invoker {
  final List<TaskRequest> requests = new ArrayList<>();
  final Deque<RuntimeException> failures = new ArrayDeque<>();
  final List<CompletableFuture<TaskResult>> held = new CopyOnWriteArrayList<>();
  volatile boolean hold;
  boolean emits = true;
  boolean filtersAll;
  int parallelism = 1;

  private final CountDownLatch firstHeld = new CountDownLatch(1);
  private final Map<String, FakeSource> sources;
  private final Blob blob;
  QueryPlan plan;

  FakeFunctions(QueryPlan plan, Map<String, FakeSource> sources, Blob blob) {
    this.plan = plan;
    this.sources = sources;
    this.blob = blob;
  }

  /** Waits until a held task is in the functions' hands. */
  void awaitHeld() throws InterruptedException {
    firstHeld.await();
  }

  /** Fails the next invocation. */
  void failNext(ErrorCode code) {
    failures.add(new TidemillException(code, "The function was made to fail."));
  }

  @Override
  public CompletableFuture<TaskResult> invoke(TaskRequest request) {
    requests.add(request);
    if (hold) {
      CompletableFuture<TaskResult> future = new CompletableFuture<>();
      held.add(future);
      firstHeld.countDown();
      return future;
    }
    return failures.isEmpty()
        ? CompletableFuture.completedFuture(run(request))
        : CompletableFuture.failedFuture(failures.poll());
  }

  /** Does what a function does, records included. */
  TaskResult run(TaskRequest request) {
    return new TaskRecords(blob).record(compute(request));
  }

  private TaskResult compute(TaskRequest request) {
    Map<Integer, SourceStats> read = new TreeMap<>();
    for (SplitAssignment split : request.splits()) {
      read.merge(split.source(), stats(split), SourceStats::plus);
    }
    long rows = read.values().stream().mapToLong(SourceStats::rows).sum();
    long shuffled = request.shuffles().stream().mapToLong(ShuffleFile::rows).sum();
    List<StateChange> changes = new ArrayList<>();
    List<OperatorStats> operators = new ArrayList<>();
    List<ShuffleFile> shuffles = new ArrayList<>();
    List<TaskResult.SinkOutput> outputs = new ArrayList<>();
    for (int id : request.stages()) {
      Stage stage = plan.stages().get(id);
      if (stage.operator().isPresent()) {
        changes.add(change(request, id, rows + shuffled));
        operators.add(new OperatorStats(id, rows + shuffled, 1, 2, 1));
      }
      if (stage.consumer().isPresent()
          && !request.stages().contains(stage.consumer().getAsInt())
          && rows > 0
          && !filtersAll) {
        shuffles.add(shuffle(request, stage, rows));
      }
      if (stage.consumer().isEmpty() && emits) {
        outputs.add(new TaskResult.SinkOutput(0, Json.tree(Map.of("task", request.task().path()))));
      }
    }
    return new TaskResult(
        request.task(),
        request.attempt(),
        List.copyOf(read.values()),
        operators,
        changes,
        shuffles,
        outputs,
        outputs.size(),
        1);
  }

  private ShuffleFile shuffle(TaskRequest request, Stage stage, long rows) {
    String key = "shuffle/" + request.task().path() + "-" + request.attempt();
    blob.putIfAbsent(key, new byte[] {1});
    return new ShuffleFile(stage.consumer().getAsInt(), key, rows, 1, 1);
  }

  private static StateChange change(TaskRequest request, int operator, long rows) {
    StateVersion before = request.state().get(operator);
    long batch = request.batch().batch().value();
    String key = "state/" + operator + "/" + request.task().path() + "-" + request.attempt();
    List<StateFile> added =
        rows == 0
            ? List.of()
            : List.of(new StateFile(key, request.buckets(), false, rows, rows, 1, batch));
    return new StateChange(operator, request.buckets(), added, false, before.rows() + rows);
  }

  private SourceStats stats(SplitAssignment split) {
    FakeSource source = sources.get("s" + split.source());
    int from = split.split().range().get("from").asInt();
    int to = split.split().range().get("to").asInt();
    SourceStats all = SourceStats.none(split.source());
    for (long millis : source.eventMillis.subList(from, to)) {
      // Microseconds below a millisecond are there to be cut off.
      long micros = millis * 1_000 + 999;
      all = all.plus(new SourceStats(split.source(), 1, 0, micros, micros, millis, 1, Map.of()));
    }
    return all;
  }

  @Override
  public int parallelism() {
    return parallelism;
  }

  @Override
  public void close() {}
}
