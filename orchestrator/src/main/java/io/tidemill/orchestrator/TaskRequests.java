package io.tidemill.orchestrator;

import io.tidemill.checkpoint.Committed;
import io.tidemill.checkpoint.Head;
import io.tidemill.checkpoint.PlannedBatch;
import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.Ids;
import io.tidemill.protocol.source.SourceSplit;
import io.tidemill.protocol.state.StateVersion;
import io.tidemill.protocol.task.BatchContext;
import io.tidemill.protocol.task.ShuffleFile;
import io.tidemill.protocol.task.SplitAssignment;
import io.tidemill.protocol.task.TaskId;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Writes the requests for the tasks of one batch. */
final class TaskRequests {
  /** What all tasks of a stage may put into messages: each task behind the shuffle gets it all. */
  private static final int INLINE_BYTES_MAX = 512 * 1024;

  private final QueryPlan plan;
  private final PlannedBatch batch;
  private final Committed before;
  private final BatchContext context;
  private final String checkpoint;
  private final Ids ids;
  private final int inlineShuffleBytes;
  private final boolean replay;

  /**
   * @param head the head the batch is planned in
   * @param inlineShuffleBytes rows between stages up to this size travel in messages
   * @param replay true if tasks of the batch may have run before
   */
  TaskRequests(
      QueryPlan plan,
      Head head,
      PlannedBatch batch,
      String checkpoint,
      Ids ids,
      int inlineShuffleBytes,
      boolean replay) {
    this.plan = plan;
    this.batch = batch;
    this.before = head.committed();
    this.checkpoint = checkpoint;
    this.ids = ids;
    this.inlineShuffleBytes = inlineShuffleBytes;
    this.replay = replay;
    this.context =
        new BatchContext(
            head.query(),
            head.timeline(),
            head.epoch(),
            batch.batch(),
            batch.timestampMillis(),
            batch.seed(),
            batch.late(),
            batch.eviction());
  }

  /** One task that runs all stages. */
  TaskRequest wholeBatch() {
    List<SplitAssignment> splits = new ArrayList<>();
    for (int source = 0; source < batch.sources().size(); source++) {
      for (SourceSplit split : batch.sources().get(source).splits()) {
        splits.add(new SplitAssignment(source, split));
      }
    }
    List<Integer> stages = plan.stages().stream().map(Stage::id).toList();
    return request(
        TaskId.WHOLE_BATCH, 0, stages, splits, List.of(), Buckets.ALL, plan.stateful(), 1);
  }

  /** The tasks of a stage that reads a source; none if it has nothing to read. */
  List<TaskRequest> sourceStage(Stage stage) {
    int source = stage.source().orElseThrow();
    List<SourceSplit> splits = batch.sources().get(source).splits();
    List<List<Integer>> parts = batch.layout().parts().getOrDefault(stage.id(), List.of());
    return IntStream.range(0, parts.size())
        .mapToObj(
            part ->
                request(
                    stage.id(),
                    part,
                    List.of(stage.id()),
                    parts.get(part).stream()
                        .map(split -> new SplitAssignment(source, splits.get(split)))
                        .toList(),
                    List.of(),
                    Buckets.ALL,
                    stateOf(stage),
                    parts.size()))
        .toList();
  }

  /** The tasks of a stage behind shuffles. */
  List<TaskRequest> shardedStage(Stage stage, List<ShuffleFile> shuffles, int shards) {
    List<Buckets> ranges = Buckets.shards(shards);
    return IntStream.range(0, shards)
        .mapToObj(
            shard ->
                request(
                    stage.id(),
                    shard,
                    List.of(stage.id()),
                    List.of(),
                    shuffles,
                    ranges.get(shard),
                    stateOf(stage),
                    shards))
        .toList();
  }

  private static List<Stage> stateOf(Stage stage) {
    return stage.operator().isPresent() ? List.of(stage) : List.of();
  }

  private TaskRequest request(
      int stage,
      int part,
      List<Integer> stages,
      List<SplitAssignment> splits,
      List<ShuffleFile> shuffles,
      Buckets buckets,
      List<Stage> stateful,
      int tasks) {
    Map<Integer, StateVersion> state = new TreeMap<>();
    for (Stage operator : stateful) {
      StateVersion version = before.state(operator.id());
      state.put(
          operator.id(),
          new StateVersion(version.overlapping(buckets), version.evictedTo(), List.of()));
    }
    return new TaskRequest(
        context,
        new TaskId(context.timeline(), context.batch(), stage, part),
        ids.nextAttempt(),
        checkpoint,
        plan.fingerprint(),
        stages,
        splits,
        shuffles,
        buckets,
        state,
        Math.min(inlineShuffleBytes, INLINE_BYTES_MAX / tasks),
        replay);
  }
}
