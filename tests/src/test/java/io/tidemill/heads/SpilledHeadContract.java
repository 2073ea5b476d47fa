package io.tidemill.heads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.checkpoint.Committed;
import io.tidemill.checkpoint.GarbageCollector;
import io.tidemill.checkpoint.Head;
import io.tidemill.checkpoint.HeadStore;
import io.tidemill.checkpoint.HistoryEntry;
import io.tidemill.checkpoint.Opening;
import io.tidemill.checkpoint.OwnedHead;
import io.tidemill.checkpoint.OwnerProbe;
import io.tidemill.checkpoint.PlanIdentity;
import io.tidemill.checkpoint.SharedSettings;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.source.SourcePosition;
import io.tidemill.storage.Store;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What holds for a head that does not fit into the register, wherever the checkpoint is. */
abstract class SpilledHeadContract {
  private static final int REGISTER_BYTES_MAX = 300_000;
  private static final int LARGE = 500_000;

  private final AtomicInteger ids = new AtomicInteger();
  private Store store;

  /** A checkpoint that is empty. */
  abstract Store open() throws Exception;

  @BeforeEach
  void openStore() throws Exception {
    store = open();
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  private HeadStore heads() {
    return new HeadStore(store.blob(), store.register());
  }

  private OwnedHead run(String owner) {
    return OwnedHead.open(
        heads(),
        new Opening(
            "wide",
            new PlanIdentity("f", Map.of()),
            SharedSettings.of("min"),
            owner,
            OwnerProbe.UNKNOWN,
            true,
            60_000,
            InstantSource.system(),
            () -> owner + ids.incrementAndGet()));
  }

  private static SourcePosition position(String text) {
    return new SourcePosition(Json.tree(Map.of("at", text)));
  }

  private static Head committed(Head head, long batch, int bytes) {
    Committed before = Committed.start(List.of(position("x".repeat(bytes))), 0);
    return head.withCommitted(
            new Committed(
                Optional.of(new BatchId(batch)),
                before.positions(),
                before.inputs(),
                before.used(),
                before.next(),
                before.state(),
                before.publication()),
            new HistoryEntry(head.timeline(), new BatchId(batch), Json.tree(Map.of())))
        .withoutHistory(new BatchId(batch));
  }

  private List<String> spilled() {
    return store.blob().list("heads/", "", 100);
  }

  @Test
  void aLargeHeadIsReadBackAndLeavesTheRegisterSmall() {
    OwnedHead run = run("a");
    run.write(committed(run.head(), 0, LARGE));

    assertThat(heads().read().orElseThrow().head()).isEqualTo(run.head());
    assertThat(store.register().read("head").orElseThrow().value())
        .hasSizeLessThan(REGISTER_BYTES_MAX);
    assertThat(spilled()).hasSize(1);
  }

  @Test
  void aHeadUpToTheLimitStaysInTheRegister() {
    OwnedHead run = run("a");
    run.write(committed(run.head(), 0, REGISTER_BYTES_MAX - 2_000));

    assertThat(spilled()).isEmpty();
    assertThat(heads().read().orElseThrow().head()).isEqualTo(run.head());
  }

  @Test
  void aRunFencedByALargeHeadLeavesItAsItIs() {
    OwnedHead first = run("a");
    first.write(committed(first.head(), 0, LARGE));
    OwnedHead second = run("b");
    second.write(committed(second.head(), 1, LARGE + 1));

    assertThatThrownBy(() -> first.write(committed(first.head(), 1, LARGE)))
        .isInstanceOfSatisfying(
            TidemillException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FENCED));
    assertThat(heads().read().orElseThrow().head()).isEqualTo(second.head());
    // What the fenced run had spilled is named by nobody, and goes with its batch.
    assertThat(spilled()).hasSize(3);
  }

  @Test
  void spilledHeadsBehindTheHorizonAreCollected() {
    OwnedHead run = run("a");
    for (long batch = 0; batch < 5; batch++) {
      run.write(committed(run.head(), batch, LARGE));
    }
    new GarbageCollector(store.blob(), store.register()).collect(run.head(), 2);

    assertThat(spilled())
        .hasSize(3)
        .allSatisfy(key -> assertThat(key).matches("heads/0/000000000[234]/.*\\.json"));
    assertThat(heads().read().orElseThrow().head()).isEqualTo(run.head());
  }
}
