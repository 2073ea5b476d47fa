package io.tidemill.orchestrator;

import io.tidemill.checkpoint.BatchLayout;
import io.tidemill.checkpoint.PlannedSource;
import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.source.SourceSplit;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.Stage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Decides how a batch is divided into tasks: where to change how batches are sized. Every decision
 * is recorded, so it may depend on anything.
 */
final class Layouts {
  private final QueryPlan plan;
  private final OrchestratorSettings settings;
  private final int parallelism;

  /**
   * @param parallelism how many tasks can run side by side
   */
  Layouts(QueryPlan plan, OrchestratorSettings settings, int parallelism) {
    this.plan = plan;
    this.settings = settings;
    this.parallelism = parallelism;
  }

  /**
   * @param sources what the batch reads; nothing for a batch without data
   * @param stateRows rows in state before the batch
   */
  BatchLayout of(List<PlannedSource> sources, boolean data, long stateRows) {
    long rows = data ? sources.stream().mapToLong(PlannedSource::rowsEstimate).sum() : stateRows;
    if (parallelism == 1 || rows <= settings.wholeBatchRowsMax() || cannotBeDivided()) {
      return BatchLayout.WHOLE_BATCH;
    }
    Map<Integer, List<List<Integer>>> parts = new HashMap<>();
    for (Stage stage : plan.stages()) {
      if (stage.readsSource()) {
        List<SourceSplit> splits = sources.get(stage.source().getAsInt()).splits();
        int tasks = isSingle(stage) ? 1 : parallelism;
        parts.put(stage.id(), divided(splits, tasks));
      }
    }
    return BatchLayout.perStage(parts);
  }

  /**
   * Shards of a stage behind a shuffle.
   *
   * @param rows rows of its input and of its state
   */
  int shards(Stage stage, long rows) {
    if (isSingle(stage)) {
      return 1;
    }
    long wished = (rows + settings.shardRows() - 1) / settings.shardRows();
    return (int) Math.max(1, Math.min(wished, Math.min(parallelism, Buckets.COUNT)));
  }

  private boolean cannotBeDivided() {
    return plan.stages().size() == 1 && isSingle(plan.stages().get(0));
  }

  /** True if all rows must meet in one task, whatever their number. */
  static boolean isSingle(Stage stage) {
    return stage.single()
        || stage.operator().map(o -> stage.readsSource() || o.keys().isEmpty()).orElse(false);
  }

  /** Splits in groups of about equal rows: each split, largest first, goes to the least group. */
  private static List<List<Integer>> divided(List<SourceSplit> splits, int groupsMax) {
    int count = Math.min(groupsMax, splits.size());
    List<List<Integer>> groups = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      groups.add(new ArrayList<>());
    }
    long[] rows = new long[count];
    IntStream.range(0, splits.size())
        .boxed()
        .sorted(Comparator.comparingLong((Integer i) -> -splits.get(i).estimatedRows()))
        .forEach(
            split -> {
              int least = 0;
              for (int group = 1; group < count; group++) {
                least = rows[group] < rows[least] ? group : least;
              }
              groups.get(least).add(split);
              // An estimate of nothing must not put all such splits into one group.
              rows[least] += Math.max(1, splits.get(split).estimatedRows());
            });
    groups.forEach(group -> group.sort(Comparator.naturalOrder()));
    return groups;
  }
}
