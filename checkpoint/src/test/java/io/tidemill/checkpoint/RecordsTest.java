package io.tidemill.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.task.TaskId;
import io.tidemill.protocol.task.TaskResult;
import io.tidemill.storage.Register;
import io.tidemill.storage.fault.Fault;
import io.tidemill.storage.fault.FaultSource;
import io.tidemill.storage.fault.FaultyBlob;
import io.tidemill.storage.fault.FaultyRegister;
import io.tidemill.storage.memory.MemoryBlob;
import io.tidemill.storage.memory.MemoryRegister;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordsTest {
  private static final TaskId TASK = new TaskId(Timeline.FIRST, new BatchId(12), 1, 3);

  private final MemoryBlob blob = new MemoryBlob();
  private int tries;

  @Test
  void theFirstResultOfATaskIsTheResult() {
    TaskRecords records = new TaskRecords(blob);
    TaskResult first = Heads.result(TASK, "first");

    assertThat(records.read(TASK)).isEmpty();
    assertThat(records.record(first)).isEqualTo(first);
    assertThat(records.record(Heads.result(TASK, "second"))).isEqualTo(first);
    assertThat(records.read(TASK)).contains(first);
    assertThat(blob.list("", "", 10)).containsExactly("tasks/0/0000000012-s1-p3.json");
  }

  @Test
  void aRecordWhoseReplyWasLostIsOnesOwn() {
    int part = 0;
    for (Fault fault : List.of(Fault.LOST_REPLY, Fault.LOST_REQUEST, Fault.RETRIED)) {
      TaskId task = new TaskId(Timeline.FIRST, BatchId.FIRST, 1, part++);
      TaskResult mine = Heads.result(task, "mine");
      Deque<Fault> faults = new ArrayDeque<>(List.of(fault));
      TaskRecords records = new TaskRecords(new FaultyBlob(blob, FaultSource.inTurn(faults)));

      assertThat(records.record(mine)).as(fault.name()).isEqualTo(mine);
      assertThat(new TaskRecords(blob).read(task)).as(fault.name()).contains(mine);
    }
  }

  @Test
  void storageThatNeverAnswersIsUnavailable() {
    TaskRecords records = new TaskRecords(new FaultyBlob(blob, (call, key) -> faultFor(key)));
    assertThatThrownBy(() -> records.record(Heads.result(TASK, "mine")))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE));
  }

  private static Fault faultFor(String key) {
    return key.startsWith("tasks") ? Fault.LOST_REQUEST : Fault.NONE;
  }

  private Records inRegister(Register register) {
    return Records.in(register, blob, () -> "try-" + ++tries);
  }

  @Test
  void theFirstResultInARegisterIsTheResult() {
    MemoryRegister register = new MemoryRegister();
    TaskRecords records = new TaskRecords(inRegister(register));
    TaskResult first = Heads.result(TASK, "first");

    assertThat(records.read(TASK)).isEmpty();
    assertThat(records.record(first)).isEqualTo(first);
    assertThat(new TaskRecords(inRegister(register)).record(Heads.result(TASK, "second")))
        .isEqualTo(first);
    assertThat(records.read(TASK)).contains(first);
    assertThat(blob.list("", "", 10)).isEmpty();
  }

  @Test
  void aRecordInARegisterWhoseReplyWasLostIsOnesOwn() {
    int part = 0;
    for (Fault fault : List.of(Fault.LOST_REPLY, Fault.LOST_REQUEST)) {
      TaskId task = new TaskId(Timeline.FIRST, BatchId.FIRST, 1, part++);
      TaskResult mine = Heads.result(task, "mine");
      Deque<Fault> faults = new ArrayDeque<>(List.of(fault));
      Register faulty = new FaultyRegister(new MemoryRegister(), FaultSource.inTurn(faults));
      assertThat(new TaskRecords(inRegister(faulty)).record(mine)).as(fault.name()).isEqualTo(mine);
    }
  }

  @Test
  void aRecordTooLargeForARegisterIsAnObject() {
    MemoryRegister register = new MemoryRegister();
    byte[] large = StoredJson.write("task", "x".repeat(400_000));
    assertThat(inRegister(register).putOrGet("tasks/0/0000000012/s1/p3.json", large))
        .isEqualTo(large);
    assertThat(inRegister(register).read("tasks/0/0000000012/s1/p3.json")).contains(large);
    assertThat(register.read("tasks/0/0000000012/s1/p3.json").orElseThrow().value())
        .hasSizeLessThan(300);
    assertThat(blob.list("", "", 10)).containsExactly("tasks/0/0000000012/s1/p3-try-1.json");
  }

  @Test
  void theFirstLayoutOfAStageIsTheLayout() {
    LayoutRecords layouts = new LayoutRecords(blob);

    assertThat(layouts.decide(Timeline.FIRST, new BatchId(12), 2, 5)).isEqualTo(5);
    assertThat(layouts.decide(Timeline.FIRST, new BatchId(12), 2, 7)).isEqualTo(5);
    assertThat(layouts.decide(Timeline.FIRST, new BatchId(13), 2, 7)).isEqualTo(7);
    assertThat(blob.list("", "", 10)).contains("layouts/0/0000000012/s2.json");
  }
}
