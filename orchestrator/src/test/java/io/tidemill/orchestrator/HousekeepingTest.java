package io.tidemill.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.checkpoint.CheckpointView;
import io.tidemill.protocol.OutputMode;
import io.tidemill.query.plan.QuerySettings;
import io.tidemill.query.plan.Trigger;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class HousekeepingTest {
  private static final int RETAIN = 10;

  private final Mill mill =
      new Mill(
          Plans.aggregate(
              1,
              OutputMode.UPDATE,
              new QuerySettings(Trigger.availableNow(), "", false, "min", 0, RETAIN)));

  @Test
  void historyOfAllBatchesCanBeRead() {
    runBatches(70);

    CheckpointView view = CheckpointView.read(mill.blob, mill.register).orElseThrow();

    assertThat(view.history())
        .extracting(e -> e.batch().value())
        .containsExactlyElementsOf(LongStream.range(0, 70).boxed().toList());
    assertThat(view.history().get(40).progress().get("batchId").asLong()).isEqualTo(40);
    assertThat(view.head().recent()).hasSizeBetween(1, 31);
    assertThat(mill.blob.list("history/", "", 100)).hasSizeBetween(2, 8);
  }

  @Test
  void oldRecordsGoAndWhatTheHeadNamesStays() {
    runBatches(70);

    List<String> records = mill.blob.list("tasks/", "", 1_000);
    assertThat(records.get(0)).isEqualTo("tasks/0/0000000053-all-p0.json");
    assertThat(records).hasSize(17);
    CheckpointView.OperatorState state =
        CheckpointView.read(mill.blob, mill.register).orElseThrow().state().get(0);
    assertThat(state.rows()).isEqualTo(70);
    assertThat(state.files()).isEqualTo(70);
  }

  private void runBatches(int count) {
    mill.source().limit = 1;
    for (int i = 0; i < count; i++) {
      mill.source().add(i);
    }
    mill.openAndRun();
  }
}
