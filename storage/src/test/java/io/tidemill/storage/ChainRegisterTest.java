package io.tidemill.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.fault.Fault;
import io.tidemill.storage.fault.FaultSource.Call;
import io.tidemill.storage.fault.FaultyBlob;
import io.tidemill.storage.memory.MemoryBlob;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChainRegisterTest extends RegisterContract {
  private final MemoryBlob blob = new MemoryBlob();
  private final ChainRegister register = new ChainRegister(blob);
  private final CountedIds ids = new CountedIds("writer");

  @Override
  protected Register open() {
    return new ChainRegister(blob);
  }

  @Override
  protected int rounds() {
    return 100;
  }

  private static String slot(long version) {
    return String.format("head/%020d", version);
  }

  private CommitOutcome write(Register to, long expected) {
    return to.compareAndSet("head", expected, ids.nextAttempt(), "{}".getBytes(UTF_8));
  }

  private void writeUpTo(long version) {
    for (long expected = 0; expected < version; expected++) {
      assertThat(write(register, expected)).isEqualTo(committed(expected + 1));
    }
  }

  private List<String> slots() {
    return blob.list("head/", "", 10_000);
  }

  @Test
  void slotIsJsonThatPeopleCanRead() {
    AttemptId first = new AttemptId("a-1");
    register.compareAndSet("head", 0, first, "{\"batch\": 1}".getBytes(UTF_8));
    register.compareAndSet("head", 1, new AttemptId("a-2"), "{\"batch\": 2}".getBytes(UTF_8));
    assertThat(new String(blob.get(slot(2)).orElseThrow(), UTF_8))
        .matches(
            "\\{\"format\":1,\"version\":2,\"attempt\":\"a-2\",\"previousAttempt\":\"a-1\","
                + "\"value\":\\{\"batch\": 2},\"checksum\":\"[0-9a-f]{8}\"}\n");
  }

  @Test
  void pruningLeavesTheNewestVersions() {
    writeUpTo(30);
    assertThat(register.prune("head", 10)).isEqualTo(20);
    assertThat(slots()).hasSize(10).startsWith(slot(21)).endsWith(slot(30));
    assertThat(register.prune("head", 10)).isZero();
    assertThat(read(open(), "head").orElseThrow().version()).isEqualTo(30);
    assertThat(write(open(), 30)).isEqualTo(committed(31));
  }

  @Test
  void staleWriterCannotResurrectAPrunedSlot() {
    writeUpTo(5);
    Register stale = open();
    stale.read("head");
    writeUpToFrom(5, 30);
    register.prune("head", 10);

    assertThat(write(stale, 5)).isEqualTo(new CommitOutcome.Conflict());
    assertThat(write(open(), 0)).isEqualTo(new CommitOutcome.Conflict());
    assertThat(slots()).hasSize(10).startsWith(slot(21));
    assertThat(read(stale, "head").orElseThrow().version()).isEqualTo(30);
  }

  @Test
  void staleWriterJustBelowTheOldestKeptSlotGetsConflict() {
    writeUpTo(5);
    Register stale = open();
    stale.read("head");
    writeUpToFrom(5, 15);
    register.prune("head", 9);

    assertThat(slots()).startsWith(slot(7));
    assertThat(write(stale, 5)).isEqualTo(new CommitOutcome.Conflict());
    assertThat(slots()).startsWith(slot(7));
  }

  private void writeUpToFrom(long expected, long version) {
    for (long next = expected; next < version; next++) {
      assertThat(write(register, next)).isEqualTo(committed(next + 1));
    }
  }

  @Test
  void resurrectedSlotOfAWriterThatDiedIsNeverReadAndPrunedAgain() {
    writeUpTo(30);
    register.prune("head", 10);
    blob.putIfAbsent(
        slot(6),
        SlotFormat.write(
            new SlotFormat.Slot(
                6, new AttemptId("dead"), Optional.of(new AttemptId("x")), "{}".getBytes(UTF_8))));
    assertThat(read(open(), "head").orElseThrow().version()).isEqualTo(30);
    assertThat(write(open(), 6)).isEqualTo(new CommitOutcome.Conflict());
    register.prune("head", 10);
    assertThat(slots()).hasSize(10).startsWith(slot(21));
  }

  @Test
  void writeIsCommittedAlsoWhenAnotherWriterWentOnFromItBeforeTheCheck() {
    FaultyBlob overtaken =
        new FaultyBlob(
            blob,
            (call, name) -> {
              if (call == Call.LIST && slots().size() == 3) {
                Register other = open();
                other.read("head");
                write(other, 3);
              }
              return Fault.NONE;
            });
    writeUpTo(2);
    ChainRegister slow = new ChainRegister(overtaken);
    slow.read("head");
    assertThat(write(slow, 2)).isEqualTo(committed(3));
    assertThat(slots()).hasSize(4);
  }

  @Test
  void failureAfterTheSlotExistsIsUnknownAndSettlesAsCommitted() {
    boolean[] failing = {true};
    FaultyBlob failsOnce =
        new FaultyBlob(
            blob,
            (call, name) -> {
              boolean fail = failing[0] && call == Call.LIST;
              failing[0] = failing[0] && !fail;
              return fail ? Fault.REFUSED : Fault.NONE;
            });
    AttemptId attempt = ids.nextAttempt();
    ChainRegister slow = new ChainRegister(failsOnce);
    assertThat(slow.compareAndSet("head", 0, attempt, "{}".getBytes(UTF_8)))
        .isInstanceOf(CommitOutcome.Unknown.class);
    assertThat(Settled.compareAndSet(slow, "head", 0, attempt, "{}".getBytes(UTF_8)))
        .isEqualTo(committed(1));
  }

  @Test
  void hiddenRetryThatFindsItsOwnSlotIsCommitted() {
    FaultyBlob retrying =
        new FaultyBlob(blob, (call, name) -> call == Call.CREATE ? Fault.RETRIED : Fault.NONE);
    assertThat(write(new ChainRegister(retrying), 0)).isEqualTo(committed(1));
  }

  @Test
  void otherObjectsBelowTheNameAreNoVersions() {
    writeUpTo(3);
    blob.putIfAbsent("head/0-notes.txt", "x".getBytes(UTF_8));
    blob.putIfAbsent("head/other/00000000000000000009", "x".getBytes(UTF_8));
    assertThat(read(open(), "head").orElseThrow().version()).isEqualTo(3);
  }

  @Test
  void everyFlippedBitAndEveryTruncationIsFound() {
    writeUpTo(2);
    byte[] good = blob.get(slot(2)).orElseThrow();
    for (int at = 0; at < good.length; at++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] flipped = good.clone();
        flipped[at] ^= (byte) (1 << bit);
        assertCorrupt(flipped);
      }
      assertCorrupt(Arrays.copyOf(good, at));
    }
    assertCorrupt(blob.get(slot(1)).orElseThrow());
    replaceNewest(good);
    assertThat(read(open(), "head").orElseThrow().version()).isEqualTo(2);
  }

  private void assertCorrupt(byte[] content) {
    replaceNewest(content);
    assertThatThrownBy(() -> open().read("head"))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.CHECKPOINT_CORRUPT);
              assertThat(e.fields()).containsEntry("key", slot(2));
            });
  }

  private void replaceNewest(byte[] content) {
    blob.delete(slot(2));
    blob.putIfAbsent(slot(2), content);
  }

  @Test
  void slotOfALaterFormatSaysThatANewerVersionIsNeeded() {
    String covered = "{\"format\":2,\"anything\":[1,2]";
    String later =
        String.format("%s,\"checksum\":\"%08x\"}\n", covered, Checksum.of(covered.getBytes(UTF_8)));
    blob.putIfAbsent(slot(1), later.getBytes(UTF_8));
    assertThatThrownBy(() -> register.read("head"))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.CHECKPOINT_NEWER);
              assertThat(e.fields()).containsEntry("format", 2);
            });
  }

  @Test
  void valueThatIsNotOneJsonTextIsRefused() {
    for (String value : List.of("", " ", "{", "{} {}", "nope", "{\"a\":1")) {
      AttemptId attempt = ids.nextAttempt();
      assertThatThrownBy(() -> register.compareAndSet("head", 0, attempt, value.getBytes(UTF_8)))
          .as(value)
          .isInstanceOfSatisfying(
              TidemillException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL));
    }
    assertThat(slots()).isEmpty();
  }

  @Test
  void chainThatWasCutBackIsReadFromItsNewEnd() {
    writeUpTo(10);
    for (long version = 6; version <= 10; version++) {
      blob.delete(slot(version));
    }
    assertThat(read(register, "head").orElseThrow().version()).isEqualTo(5);
  }
}
