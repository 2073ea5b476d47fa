package io.tidemill.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.checkpoint.BatchLayout;
import io.tidemill.checkpoint.PlannedSource;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.source.SourceSplit;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.StatefulOperator;
import io.tidemill.query.plan.Trigger;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LayoutsTest {
  private static final QueryPlan AGGREGATE =
      Plans.aggregate(1, OutputMode.APPEND, Plans.settings(Trigger.availableNow()));
  private static final QueryPlan LIMIT =
      Plans.stateful(
          1,
          new StatefulOperator.Limit(List.of(Column.of("a", "INTEGER")), 3),
          OutputMode.APPEND,
          Plans.settings(Trigger.availableNow()));

  @Test
  void aSmallBatchIsOneTask() {
    assertThat(of(8, source(20_000, 30_000)).wholeBatch()).isTrue();
    assertThat(of(8, source(20_000, 30_001)).wholeBatch()).isFalse();
  }

  @Test
  void withoutParallelismEveryBatchIsOneTask() {
    assertThat(of(1, source(1_000_000, 1_000_000)).wholeBatch()).isTrue();
  }

  @Test
  void aBatchWithoutDataIsOneTaskWhileStateIsSmall() {
    Layouts layouts = new Layouts(AGGREGATE, OrchestratorSettings.DEFAULT, 8);
    List<PlannedSource> nothing = List.of(PlannedSource.nothing(FakeSource.position(0)));
    assertThat(layouts.of(nothing, false, 50_000).wholeBatch()).isTrue();
    assertThat(layouts.of(nothing, false, 50_001))
        .isEqualTo(BatchLayout.perStage(java.util.Map.of(0, List.of())));
  }

  @Test
  void splitsAreSpreadSoThatTasksHaveAboutEqualRows() {
    BatchLayout layout = of(2, source(60_000, 10_000, 20_000, 30_000));
    assertThat(layout.parts().get(0)).containsExactly(List.of(0), List.of(1, 2, 3));
  }

  @Test
  void splitsOfUnknownSizeAreSpreadToo() {
    BatchLayout layout = of(2, source(60_000, 0, 0, 0));
    assertThat(layout.parts().get(0)).containsExactly(List.of(0), List.of(1, 2, 3));
    assertThat(of(3, source(60_000, 0, 0, 0)).parts().get(0)).hasSize(3);
  }

  @Test
  void thereAreNoMoreTasksThanSplits() {
    assertThat(of(100, source(60_000, 60_000)).parts().get(0)).hasSize(2);
  }

  @Test
  void shardsFollowTheRowsUpToTheParallelism() {
    Layouts layouts = new Layouts(AGGREGATE, OrchestratorSettings.DEFAULT, 8);
    assertThat(layouts.shards(AGGREGATE.stages().get(1), 0)).isEqualTo(1);
    assertThat(layouts.shards(AGGREGATE.stages().get(1), 100_000)).isEqualTo(1);
    assertThat(layouts.shards(AGGREGATE.stages().get(1), 100_001)).isEqualTo(2);
    assertThat(layouts.shards(AGGREGATE.stages().get(1), 10_000_000)).isEqualTo(8);
  }

  @Test
  void anOperatorWithoutKeysHasOneShard() {
    Layouts layouts = new Layouts(LIMIT, OrchestratorSettings.DEFAULT, 8);
    assertThat(layouts.shards(LIMIT.stages().get(1), 10_000_000)).isEqualTo(1);
  }

  private static BatchLayout of(int parallelism, PlannedSource source) {
    return new Layouts(AGGREGATE, OrchestratorSettings.DEFAULT, parallelism)
        .of(List.of(source), true, 0);
  }

  private static PlannedSource source(long... rows) {
    List<SourceSplit> splits =
        LongStream.of(rows).mapToObj(r -> new SourceSplit(Json.tree(r), r)).toList();
    return new PlannedSource(
        FakeSource.position(0), FakeSource.position(9), splits, LongStream.of(rows).sum());
  }
}
