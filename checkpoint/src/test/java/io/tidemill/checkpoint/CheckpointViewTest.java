package io.tidemill.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.protocol.AttemptId;
import io.tidemill.storage.memory.MemoryBlob;
import io.tidemill.storage.memory.MemoryRegister;
import org.junit.jupiter.api.Test;

class CheckpointViewTest {
  private final MemoryBlob blob = new MemoryBlob();
  private final MemoryRegister register = new MemoryRegister();

  @Test
  void anEmptyPlaceHasNoView() {
    assertThat(CheckpointView.read(blob, register)).isEmpty();
  }

  @Test
  void aViewShowsHeadHistoryAndState() {
    new HeadStore(blob, register).replace(0, new AttemptId("a"), Heads.full());

    CheckpointView view = CheckpointView.read(blob, register).orElseThrow();

    assertThat(view.version()).isEqualTo(1);
    assertThat(view.head()).isEqualTo(Heads.full());
    assertThat(view.history()).isEqualTo(Heads.full().recent());
    assertThat(view.state())
        .containsExactly(new CheckpointView.OperatorState(1, 3, 2, 1, 1, 100, 1));
  }
}
