package io.tidemill.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.checkpoint.Committed;
import io.tidemill.checkpoint.HeadStore;
import io.tidemill.checkpoint.Opening;
import io.tidemill.checkpoint.OwnedHead;
import io.tidemill.checkpoint.OwnerProbe;
import io.tidemill.checkpoint.PlanIdentity;
import io.tidemill.checkpoint.SharedSettings;
import io.tidemill.checkpoint.TaskRecords;
import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.task.TaskId;
import io.tidemill.protocol.task.TaskResult;
import io.tidemill.storage.memory.MemoryBlob;
import io.tidemill.storage.memory.MemoryRegister;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LateAttemptsTest {
  private static final TaskId TASK = task(5);

  private final MemoryBlob blob = new MemoryBlob();
  private final MemoryRegister register = new MemoryRegister();
  private final TaskRecords records = new TaskRecords(blob);
  private final LateAttempts late = new LateAttempts(records, new HeadStore(blob, register));

  private static TaskId task(long batch) {
    return new TaskId(Timeline.FIRST, new BatchId(batch), 1, 0);
  }

  private static TidemillException failure(ErrorCode code) {
    return new TidemillException(code, "The attempt failed.");
  }

  private void commit(long batch) {
    AtomicLong ids = new AtomicLong();
    OwnedHead head =
        OwnedHead.open(
            new HeadStore(blob, register),
            new Opening(
                "orders",
                new PlanIdentity("f", Map.of()),
                SharedSettings.of("min"),
                "owner",
                OwnerProbe.UNKNOWN,
                false,
                60_000,
                InstantSource.system(),
                () -> "id" + ids.incrementAndGet()));
    head.start(
        new Committed(
            Optional.of(new BatchId(batch)),
            List.of(),
            List.of(),
            Watermark.NONE,
            Watermark.NONE,
            Map.of(),
            Optional.empty()));
    head.takeOver();
  }

  @Test
  void theRecordIsTheResultWhateverTheAttemptMet() {
    TaskResult recorded =
        new TaskResult(
            TASK,
            new AttemptId("first"),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            0,
            1);
    records.record(recorded);

    assertThat(late.instead(TASK, failure(ErrorCode.STATE_CORRUPT))).isEqualTo(recorded);
    assertThat(late.instead(TASK, failure(ErrorCode.DATA_LOSS))).isEqualTo(recorded);
    assertThat(late.instead(TASK, failure(ErrorCode.FENCED))).isEqualTo(recorded);
  }

  @Test
  void withoutARecordTheHeadSaysWhetherTheBatchIsCommitted() {
    commit(5);
    TidemillException failure = failure(ErrorCode.STATE_CORRUPT);

    assertThatThrownBy(() -> late.instead(TASK, failure))
        .isInstanceOfSatisfying(
            TidemillException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STALE_ATTEMPT))
        .hasCause(failure);
    assertThatThrownBy(() -> late.instead(task(6), failure)).isSameAs(failure);
  }

  @Test
  void aQueryWithoutAHeadHasCommittedNothing() {
    TidemillException failure = failure(ErrorCode.STATE_CORRUPT);
    assertThatThrownBy(() -> late.instead(TASK, failure)).isSameAs(failure);
  }

  @Test
  void whatMayPassIsTriedAgainWithoutALook() {
    commit(5);
    TidemillException failure = failure(ErrorCode.STORAGE_UNAVAILABLE);
    assertThatThrownBy(() -> late.instead(TASK, failure)).isSameAs(failure);
  }

  @Test
  void aFailureToLookHidesNoFailure() {
    TidemillException failure = failure(ErrorCode.STATE_CORRUPT);
    blob.putIfAbsent("tasks/0/0000000005-s1-p0.json", new byte[] {1});

    assertThatThrownBy(() -> late.instead(TASK, failure)).isSameAs(failure);
    assertThat(failure.getSuppressed()).hasSize(1);
  }
}
