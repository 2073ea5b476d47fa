package io.tidemill.orchestrator;

import io.tidemill.checkpoint.Committed;
import io.tidemill.checkpoint.LayoutRecords;
import io.tidemill.checkpoint.PlannedBatch;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.task.ShuffleFile;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.protocol.task.TaskResult;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.Stage;
import io.tidemill.query.plan.StatefulOperator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Runs the tasks of one planned batch: all source stages side by side, then stage after stage. Used
 * by one thread.
 */
final class BatchRun {
  private final QueryPlan plan;
  private final PlannedBatch batch;
  private final Committed before;
  private final Timeline timeline;
  private final TaskRequests requests;
  private final Layouts layouts;
  private final LayoutRecords layoutRecords;
  private final Function<List<TaskRequest>, TaskGroup> groups;

  private final List<Stage> waiting = new ArrayList<>();
  private final List<TaskResult> results = new ArrayList<>();
  private final Map<Integer, Integer> shards = new HashMap<>();
  private TaskGroup running;

  /**
   * @param before what is committed before the batch
   * @param groups starts tasks
   */
  BatchRun(
      QueryPlan plan,
      PlannedBatch batch,
      Committed before,
      Timeline timeline,
      TaskRequests requests,
      Layouts layouts,
      LayoutRecords layoutRecords,
      Function<List<TaskRequest>, TaskGroup> groups) {
    this.plan = plan;
    this.batch = batch;
    this.before = before;
    this.timeline = timeline;
    this.requests = requests;
    this.layouts = layouts;
    this.layoutRecords = layoutRecords;
    this.groups = groups;
    this.running = groups.apply(firstTasks());
  }

  /** Goes on with the batch as far as possible; the result once all stages are done. */
  Optional<BatchResult> poll() {
    while (running.poll()) {
      results.addAll(running.results());
      if (waiting.isEmpty()) {
        return Optional.of(BatchResult.of(plan.sources().size(), results, shards));
      }
      running = groups.apply(nextTasks());
    }
    return Optional.empty();
  }

  /** When {@link #poll} should be called again although no task is done; far away if never. */
  long nextLookMillis() {
    return running.nextLookMillis();
  }

  /** Gives up tasks that are still running. */
  void cancel() {
    running.cancel();
  }

  private List<TaskRequest> firstTasks() {
    if (batch.layout().wholeBatch()) {
      plan.stages().forEach(stage -> shards.put(stage.id(), 1));
      return List.of(requests.wholeBatch());
    }
    List<TaskRequest> tasks = new ArrayList<>();
    for (Stage stage : plan.stages()) {
      if (stage.readsSource()) {
        List<TaskRequest> own = requests.sourceStage(stage);
        tasks.addAll(own);
        shards.put(stage.id(), own.size());
      } else {
        waiting.add(stage);
      }
    }
    return tasks;
  }

  /** The tasks of the next stage; none if it has nothing to do. */
  private List<TaskRequest> nextTasks() {
    Stage stage = waiting.remove(0);
    List<ShuffleFile> input =
        results.stream()
            .flatMap(r -> r.shuffles().stream())
            .filter(s -> s.toStage() == stage.id() && s.rows() > 0)
            .toList();
    long stateRows = before.state(stage.id()).rows();
    if (input.isEmpty() && stateRows == 0 && !emitsWithoutInput(stage)) {
      return List.of();
    }
    long rows = input.stream().mapToLong(ShuffleFile::rows).sum() + stateRows;
    int count = layouts.shards(stage, rows);
    if (!Layouts.isSingle(stage)) {
      count = layoutRecords.decide(timeline, batch.batch(), stage.id(), count);
    }
    shards.put(stage.id(), count);
    return requests.shardedStage(stage, input, count);
  }

  private static boolean emitsWithoutInput(Stage stage) {
    return stage
        .operator()
        .map(o -> o instanceof StatefulOperator.Aggregate a && a.global())
        .orElse(false);
  }
}
