package io.tidemill.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.protocol.AttemptId;
import io.tidemill.storage.fault.Fault;
import io.tidemill.storage.fault.FaultyBlob;
import io.tidemill.storage.memory.MemoryBlob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Writers that are interrupted between any two storage calls, while others write on and prune. */
class PrunedChainTest {
  private static final int WRITERS = 4;
  private static final int KEEP = 5;

  @Test
  void everyVersionHasOneWriterHoweverLongWritersSleep() {
    Seeds.each(50, random -> new Run(random).run());
  }

  private static final class Run {
    private final RandomGenerator random;
    private final MemoryBlob blob = new MemoryBlob();
    private final List<Register> writers = new ArrayList<>();
    private final long[] seen = new long[WRITERS];
    private final Map<Long, AttemptId> committed = new HashMap<>();
    private final CountedIds ids = new CountedIds("attempt");
    private int depth;

    Run(RandomGenerator random) {
      this.random = random;
      for (int i = 0; i < WRITERS; i++) {
        writers.add(new ChainRegister(new FaultyBlob(blob, (call, name) -> interrupt())));
      }
    }

    private Fault interrupt() {
      if (depth < 2 && random.nextInt(6) == 0) {
        depth++;
        for (int steps = random.nextInt(12); steps > 0; steps--) {
          step();
        }
        depth--;
      }
      return Fault.NONE;
    }

    void run() {
      for (int i = 0; i < 60; i++) {
        step();
      }
      long newest = newest().version();
      assertThat(committed.keySet()).allMatch(version -> version <= newest);
      assertThat(committed).hasSizeGreaterThan(10);
    }

    private Register.Versioned newest() {
      return new ChainRegister(blob).read("head").orElseThrow();
    }

    private void step() {
      int writer = random.nextInt(WRITERS);
      switch (random.nextInt(6)) {
        case 0 -> new ChainRegister(blob).prune("head", KEEP);
        case 1 ->
            seen[writer] =
                writers.get(writer).read("head").map(Register.Versioned::version).orElse(0L);
        default -> write(writer);
      }
    }

    private void write(int writer) {
      AttemptId attempt = ids.nextAttempt();
      CommitOutcome outcome =
          writers.get(writer).compareAndSet("head", seen[writer], attempt, "{}".getBytes(UTF_8));
      if (outcome instanceof CommitOutcome.Committed now) {
        assertThat(committed.put(now.version(), attempt)).as("version %s", now).isNull();
        seen[writer] = now.version();
        return;
      }
      // It lost to another writer, or so many wrote on from it that it can no longer tell.
      assertThat(newest().attempt()).isNotEqualTo(attempt);
    }
  }
}
