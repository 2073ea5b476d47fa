package io.tidemill.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.memory.MemoryBlob;
import io.tidemill.storage.memory.MemoryRegister;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class HeadStoreTest {
  private final MemoryBlob blob = new MemoryBlob();
  private final MemoryRegister register = new MemoryRegister();
  private final HeadStore store = new HeadStore(blob, register);

  @Test
  void aFullHeadIsReadBackAsWritten() {
    Head head = Heads.full();

    assertThat(store.replace(0, new AttemptId("a"), head)).isEqualTo(OptionalLong.of(1));

    assertThat(store.read()).contains(new StoredHead(1, head));
    assertThat(blob.list("", "", 10)).isEmpty();
  }

  @Test
  void onlyOneWriterReplacesAVersion() {
    assertThat(store.replace(0, new AttemptId("a"), Heads.full())).isPresent();
    assertThat(store.replace(0, new AttemptId("b"), Heads.full())).isEmpty();
  }

  @Test
  void aLargeHeadGoesToABlobOfItsOwn() {
    Head large = large(400_000);

    store.replace(0, new AttemptId("a"), large);

    assertThat(store.read()).contains(new StoredHead(1, large));
    assertThat(register.read("head").orElseThrow().value().length).isLessThan(1_000);
    assertThat(blob.list("", "", 10)).containsExactly("heads/0/0000000004/a.json");
  }

  @Test
  void aHeadThatShrinksComesBackToTheRegister() {
    store.replace(0, new AttemptId("a"), large(400_000));
    store.replace(1, new AttemptId("b"), Heads.full());

    assertThat(store.read()).contains(new StoredHead(2, Heads.full()));
    assertThat(blob.list("", "", 10)).hasSize(1);
  }

  @Test
  void aMissingSpilledHeadIsDamage() {
    store.replace(0, new AttemptId("a"), large(400_000));
    blob.delete("heads/0/0000000004/a.json");

    assertCorrupt();
  }

  @Test
  void anotherObjectInPlaceOfTheSpilledHeadIsDamage() {
    store.replace(0, new AttemptId("a"), large(400_000));
    blob.delete("heads/0/0000000004/a.json");
    blob.putIfAbsent("heads/0/0000000004/a.json", StoredJson.write("head", large(400_001)));

    assertCorrupt();
  }

  @Test
  void aReaderOvertakenByACollectionReadsTheNewerHead() {
    store.replace(0, new AttemptId("a"), large(400_000));
    CountingRegister overtaking =
        new CountingRegister() {
          @Override
          public Optional<Versioned> read(String name) {
            Optional<Versioned> read = HeadStoreTest.this.register.read(name);
            if (reads++ == 0) {
              store.replace(1, new AttemptId("b"), large(500_000));
              blob.delete("heads/0/0000000004/a.json");
            }
            return read;
          }
        };

    assertThat(new HeadStore(blob, overtaking).read()).contains(new StoredHead(2, large(500_000)));
  }

  @Test
  void aDamagedRegisterValueIsDamage() {
    register.compareAndSet(
        "head", 0, new AttemptId("a"), "{\"kind\":\"head\"}".getBytes(StandardCharsets.UTF_8));

    assertCorrupt();
  }

  private void assertCorrupt() {
    assertThatThrownBy(store::read)
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.CHECKPOINT_CORRUPT));
  }

  private static Head large(int chars) {
    HistoryEntry entry =
        new HistoryEntry(Timeline.FIRST, new BatchId(4), Json.tree(List.of("x".repeat(chars))));
    return Heads.head(Heads.full().committed(), Optional.empty(), List.of(entry));
  }
}
