package io.tidemill.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.Epoch;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.fault.Fault;
import io.tidemill.storage.fault.FaultSource;
import io.tidemill.storage.fault.FaultyRegister;
import io.tidemill.storage.memory.MemoryBlob;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class OwnedHeadTest {
  private final CountingRegister register = new CountingRegister();
  private final MemoryBlob blob = new MemoryBlob();
  private final HeadStore store = new HeadStore(blob, register);
  private long now = 1_000_000;
  private final InstantSource clock = () -> Instant.ofEpochMilli(now);

  @Test
  void openingIsOneReadAndNoWrite() {
    OwnedHead earlier = stored();
    earlier.end(earlier.head());
    register.reads = 0;
    register.writes = 0;

    OwnedHead head = OwnedHead.open(store, Heads.opening("b", clock));
    head.renewIfDue();
    head.end(head.head());

    assertThat(register.reads).isEqualTo(1);
    assertThat(register.writes).isZero();
  }

  @Test
  void theEpochGrowsWithTheFirstWriteOfARunOnly() {
    OwnedHead first = stored();
    assertThat(first.head().epoch()).isEqualTo(new Epoch(1));
    first.write(first.head());
    assertThat(first.head().epoch()).isEqualTo(new Epoch(1));
    first.end(first.head());

    OwnedHead second = open("b");
    second.takeOver();
    second.takeOver();
    assertThat(second.head().epoch()).isEqualTo(new Epoch(2));
    assertThat(register.writes).isEqualTo(4);
  }

  @Test
  void staleWriterIsFencedAfterTakeOver() {
    OwnedHead stale = stored();
    now += 60_000;
    OwnedHead fresh = open("b");
    fresh.takeOver();

    assertFails(() -> stale.write(stale.head()), ErrorCode.FENCED);
    assertThatThrownBy(() -> stale.write(stale.head())).isInstanceOf(IllegalStateException.class);
    stale.abandon();

    fresh.write(fresh.head());
    assertThat(store.read().orElseThrow().head().lease().owner()).isEqualTo("b");
  }

  @Test
  void twoRunsThatOpenAtOnceCannotBothWrite() {
    stored().end(Heads.full());
    OwnedHead one = open("b");
    OwnedHead other = open("c");

    one.write(one.head());

    assertFails(() -> other.write(other.head()), ErrorCode.FENCED);
  }

  @Test
  void aLivingLeaseKeepsOthersAwayAndNamesItsOwner() {
    stored();
    now += 59_999;

    assertThatThrownBy(() -> open("b"))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.FENCED);
              assertThat(e.fields())
                  .containsEntry("owner", "a")
                  .containsEntry("leaseExpires", Instant.ofEpochMilli(1_060_000));
            });
  }

  @Test
  void anExpiredLeaseKeepsNobodyAway() {
    stored();
    now += 60_000;
    assertThat(open("b").head().lease().owner()).isEqualTo("a");
  }

  @Test
  void aReturnedLeaseKeepsNobodyAway() {
    OwnedHead first = stored();
    first.end(first.head());
    assertThat(open("b").head().lease()).isEqualTo(Lease.NONE);
  }

  @Test
  void aFailedRunReturnsItsLeaseAndChangesNothingElse() {
    OwnedHead first = stored();
    first.abandon();
    assertThat(open("b").head()).isEqualTo(first.head().withOwner(new Epoch(1), Lease.NONE));
  }

  @Test
  void anOwnerKnownToBeGoneKeepsNobodyAway() {
    stored();
    Opening gone =
        new Opening(
            "orders",
            Heads.PLAN,
            Heads.SETTINGS,
            "b",
            owner -> owner.equals("a"),
            false,
            60_000,
            clock,
            Heads.ids("b"));
    assertThat(OwnedHead.open(store, gone).isNew()).isFalse();
  }

  @Test
  void forceTakesOverFromALivingOwner() {
    OwnedHead first = stored();
    Opening forced =
        new Opening(
            "orders",
            Heads.PLAN,
            Heads.SETTINGS,
            "b",
            OwnerProbe.UNKNOWN,
            true,
            60_000,
            clock,
            Heads.ids("b"));
    OwnedHead.open(store, forced).takeOver();
    assertFails(() -> first.write(first.head()), ErrorCode.FENCED);
  }

  @Test
  void theLeaseIsRenewedOnceHalfOfItIsOver() {
    OwnedHead head = stored();
    now += 29_999;
    head.renewIfDue();
    assertThat(register.writes).isEqualTo(1);
    now += 1;
    head.renewIfDue();
    assertThat(register.writes).isEqualTo(2);
    assertThat(head.head().lease().expiresAtMillis()).isEqualTo(now + 60_000);
  }

  @Test
  void aNewQueryThatEndsWithoutABatchStoresWhereItStarts() {
    OwnedHead head = open("a");
    head.start(Committed.start(List.of(Heads.position(7)), now));
    head.end(head.head());

    OwnedHead again = open("b");
    assertThat(again.isNew()).isFalse();
    assertThat(again.head().query()).isEqualTo(head.head().query());
    assertThat(again.head().committed().positions()).containsExactly(Heads.position(7));
  }

  @Test
  void aLostReplyIsSettledByTheAttempt() {
    Deque<Fault> faults =
        new ArrayDeque<>(List.of(Fault.NONE, Fault.LOST_REPLY, Fault.LOST_REQUEST));
    FaultyRegister faulty = new FaultyRegister(register, FaultSource.inTurn(faults));
    OwnedHead head = OwnedHead.open(new HeadStore(blob, faulty), Heads.opening("a", clock));

    head.write(head.head());
    head.write(head.head());

    assertThat(faults).isEmpty();
    assertThat(store.read().orElseThrow().version()).isEqualTo(2);
  }

  @Test
  void afterAWriteOfUnknownOutcomeNothingMoreIsWritten() {
    OwnedHead opened = stored();
    opened.end(opened.head());
    boolean[] broken = {false};
    FaultyRegister faulty =
        new FaultyRegister(register, (call, name) -> broken[0] ? Fault.LOST_REQUEST : Fault.NONE);
    OwnedHead head = OwnedHead.open(new HeadStore(blob, faulty), Heads.opening("b", clock));
    head.takeOver();
    broken[0] = true;

    assertFails(() -> head.write(head.head()), ErrorCode.STORAGE_UNAVAILABLE);
    broken[0] = false;
    head.abandon();

    assertThat(store.read().orElseThrow().head().lease().owner()).isEqualTo("b");
  }

  @Test
  void aChangedJobIsExplainedInWords() {
    OwnedHead head =
        OwnedHead.open(
            store,
            opening(
                new PlanIdentity(
                    "f1",
                    Map.of("output mode", "append", "operator 1", "limit 3", "source 0", "kafka")),
                Heads.SETTINGS));
    head.end(head.head());
    PlanIdentity changed =
        new PlanIdentity(
            "f2", Map.of("output mode", "update", "source 0", "kafka", "source 1", "rate"));

    assertThatThrownBy(() -> OwnedHead.open(store, opening(changed, Heads.SETTINGS)))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.CHECKPOINT_MISMATCH);
              assertThat(e.fields())
                  .containsEntry("output mode", "the checkpoint has 'append', the job has 'update'")
                  .containsEntry("operator 1", "the checkpoint has 'limit 3', the job has none")
                  .containsEntry("source 1", "the job has 'rate', the checkpoint has none")
                  .doesNotContainKey("source 0");
            });
  }

  @Test
  void aChangeThatWordsDoNotShowNamesTheFingerprints() {
    stored();
    PlanIdentity changed = new PlanIdentity("f2", Heads.PLAN.parts());

    assertThatThrownBy(() -> OwnedHead.open(store, opening(changed, Heads.SETTINGS)))
        .hasMessageContaining("f1")
        .hasMessageContaining("f2");
  }

  @Test
  void anotherWatermarkPolicyIsRefused() {
    stored();
    assertThatThrownBy(() -> OwnedHead.open(store, opening(Heads.PLAN, SharedSettings.of("max"))))
        .hasMessageContaining("min")
        .hasMessageContaining("max");
  }

  @Test
  void aNewerFormatComesBeforeAnyOtherCheck() {
    byte[] newer = StoredJson.write("head", 2, Json.bytes(Map.of("unknown", true)));
    register.compareAndSet("head", 0, new AttemptId("x"), newer);
    assertFails(() -> open("a"), ErrorCode.CHECKPOINT_NEWER);
  }

  @Test
  void aFlippedByteIsDamage() {
    byte[] value = StoredJson.write("head", Heads.full());
    value[value.length / 2] ^= 4;
    register.compareAndSet("head", 0, new AttemptId("x"), value);
    assertFails(() -> open("a"), ErrorCode.CHECKPOINT_CORRUPT);
  }

  @Test
  void aTruncatedHeadIsDamage() {
    byte[] value = StoredJson.write("head", Heads.full());
    register.compareAndSet("head", 0, new AttemptId("x"), Arrays.copyOf(value, 200));
    assertFails(() -> open("a"), ErrorCode.CHECKPOINT_CORRUPT);
  }

  private OwnedHead stored() {
    OwnedHead head = open("a");
    head.write(head.head());
    return head;
  }

  private OwnedHead open(String owner) {
    return OwnedHead.open(store, Heads.opening(owner, clock));
  }

  private Opening opening(PlanIdentity plan, SharedSettings settings) {
    return new Opening(
        "orders",
        plan,
        settings,
        "c",
        OwnerProbe.UNKNOWN,
        true,
        60_000,
        clock,
        Heads.ids("c" + now));
  }

  private static void assertFails(ThrowingCallable call, ErrorCode code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(TidemillException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
