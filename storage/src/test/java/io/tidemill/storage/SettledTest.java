package io.tidemill.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.fault.Fault;
import io.tidemill.storage.fault.FaultSource;
import io.tidemill.storage.fault.FaultSource.Call;
import io.tidemill.storage.fault.FaultyBlob;
import io.tidemill.storage.fault.FaultyRegister;
import io.tidemill.storage.memory.MemoryBlob;
import io.tidemill.storage.memory.MemoryRegister;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettledTest {
  private static final AttemptId OWN = new AttemptId("own");
  private static final byte[] VALUE = "{\"by\":\"own\"}".getBytes(UTF_8);

  private final MemoryRegister register = new MemoryRegister();
  private final MemoryBlob blob = new MemoryBlob();

  /** Faults for writes, one after the other, with something done before each; then none. */
  private static FaultSource writes(Runnable before, Fault... faults) {
    Deque<Fault> left = new ArrayDeque<>(List.of(faults));
    return (call, name) -> {
      if (call != Call.CREATE) {
        return Fault.NONE;
      }
      if (left.size() < faults.length) {
        before.run();
      }
      return left.isEmpty() ? Fault.NONE : left.poll();
    };
  }

  private void otherWrites(String name) {
    long version = register.read(name).map(Register.Versioned::version).orElse(0L);
    AttemptId other = new AttemptId("other" + version);
    assertThat(register.compareAndSet(name, version, other, "{}".getBytes(UTF_8)))
        .isEqualTo(new CommitOutcome.Committed(version + 1));
  }

  private CommitOutcome settle(Runnable before, Fault... faults) {
    FaultyRegister faulty = new FaultyRegister(register, writes(before, faults));
    return Settled.compareAndSet(faulty, "head", 0, OWN, VALUE);
  }

  @Test
  void lostReplyIsCommitted() {
    assertThat(settle(() -> {}, Fault.LOST_REPLY)).isEqualTo(new CommitOutcome.Committed(1));
    assertThat(register.read("head").orElseThrow().version()).isEqualTo(1);
  }

  @Test
  void lostRequestIsSentAgain() {
    assertThat(settle(() -> {}, Fault.LOST_REQUEST, Fault.LOST_REQUEST, Fault.LOST_REPLY))
        .isEqualTo(new CommitOutcome.Committed(1));
    assertThat(register.read("head").orElseThrow().attempt()).isEqualTo(OWN);
  }

  @Test
  void lostReplyIsCommittedAlsoWhenAnotherWriterWentOnFromIt() {
    assertThat(settle(() -> otherWrites("head"), Fault.LOST_REPLY))
        .isEqualTo(new CommitOutcome.Committed(1));
    assertThat(register.read("head").orElseThrow().version()).isEqualTo(2);
  }

  @Test
  void lostReplyIsConflictWhenTooManyWritersWentOnToTell() {
    Runnable two =
        () -> {
          otherWrites("head");
          otherWrites("head");
        };
    assertThat(settle(two, Fault.LOST_REPLY)).isEqualTo(new CommitOutcome.Conflict());
  }

  @Test
  void lostRequestIsConflictWhenAnotherWriterCameFirst() {
    assertThat(settle(() -> otherWrites("head"), Fault.LOST_REQUEST))
        .isEqualTo(new CommitOutcome.Conflict());
    assertThat(register.read("head").orElseThrow().attempt()).isEqualTo(new AttemptId("other0"));
  }

  @Test
  void refusedWriteIsAnErrorAndDidNotHappen() {
    assertThatThrownBy(() -> settle(() -> {}, Fault.REFUSED))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE));
    assertThat(register.read("head")).isEmpty();
  }

  @Test
  void storageThatNeverAnswersIsUnavailable() {
    Fault[] endless = new Fault[100];
    Arrays.fill(endless, Fault.LOST_REQUEST);
    assertThatThrownBy(() -> settle(() -> {}, endless))
        .isInstanceOfSatisfying(
            TidemillException.class, e -> assertThat(e.fields()).containsEntry("register", "head"));
  }

  @Test
  void allFaultsOfABlobSettleAsWhatHappened() {
    for (Fault fault : List.of(Fault.LOST_REPLY, Fault.LOST_REQUEST, Fault.RETRIED)) {
      String own = "own/" + fault;
      FaultyBlob faulty = new FaultyBlob(blob, writes(() -> {}, fault));
      assertThat(Settled.putIfAbsent(faulty, own, VALUE)).as("%s", fault).isTrue();
      assertThat(blob.get(own)).contains(VALUE);

      String taken = "taken/" + fault;
      blob.putIfAbsent(taken, new byte[1]);
      faulty = new FaultyBlob(blob, writes(() -> {}, fault));
      assertThat(Settled.putIfAbsent(faulty, taken, VALUE)).as("%s", fault).isFalse();
    }
  }

  @Test
  void allFaultsOfAFileSettleAsWhatHappened(@TempDir Path directory) throws IOException {
    for (Fault fault : List.of(Fault.LOST_REPLY, Fault.LOST_REQUEST, Fault.RETRIED)) {
      Path file = Files.write(directory.resolve("file"), VALUE);
      long checksum = Checksum.of(file);
      FaultyBlob faulty = new FaultyBlob(blob, writes(() -> {}, fault));
      String key = "file/" + fault;
      assertThat(Settled.putFileIfAbsent(faulty, key, file, checksum)).as("%s", fault).isTrue();
      assertThat(blob.get(key)).contains(VALUE);
      assertThat(file).doesNotExist();
    }
  }

  @Test
  void fileThatLostTheRaceIsNotOwn(@TempDir Path directory) throws IOException {
    Path file = Files.write(directory.resolve("file"), VALUE);
    blob.putIfAbsent("taken", new byte[3]);
    assertThat(Settled.putFileIfAbsent(blob, "taken", file, Checksum.of(file))).isFalse();
    assertThat(file).exists();
  }
}
