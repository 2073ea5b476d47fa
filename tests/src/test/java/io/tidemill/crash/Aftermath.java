package io.tidemill.crash;

import io.tidemill.checkpoint.Head;
import io.tidemill.checkpoint.HeadStore;
import io.tidemill.checkpoint.PlannedBatch;
import io.tidemill.checkpoint.StoredHead;
import io.tidemill.storage.ChainRegister;
import io.tidemill.storage.local.Durability;
import io.tidemill.storage.local.LocalBlob;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * What a killed run left.
 *
 * @param planned whether a batch was planned and not committed
 * @param tasksDone tasks of that batch that had recorded their results
 * @param publishing whether the publication of the last committed batch was not known to be done
 * @param text all of it in words
 */
record Aftermath(boolean planned, int tasksDone, boolean publishing, String text) {
  private static final int TASKS_MAX = 1_000;

  /**
   * Looks at a checkpoint.
   *
   * @param checkpoint folder of the query's checkpoint
   */
  static Aftermath of(Path checkpoint) {
    InstantSource never = InstantSource.fixed(Instant.EPOCH);
    try (LocalBlob blob = new LocalBlob(checkpoint, () -> "look", never, Durability.SYNC);
        ChainRegister register = new ChainRegister(blob)) {
      return new HeadStore(blob, register)
          .read()
          .map(stored -> of(stored, blob))
          .orElse(new Aftermath(false, 0, false, "no checkpoint yet"));
    }
  }

  private static Aftermath of(StoredHead stored, LocalBlob blob) {
    Head head = stored.head();
    Optional<PlannedBatch> planned = head.planned();
    int done =
        planned
            .map(p -> "tasks/%s/%010d-".formatted(head.timeline(), p.batch().value()))
            .map(prefix -> blob.list(prefix, "", TASKS_MAX).size())
            .orElse(0);
    boolean publishing = head.committed().publication().isPresent();
    String text =
        planned
                .map(p -> "batch " + p.batch().value() + " planned, " + done + " of its tasks done")
                .orElse("nothing planned")
            + (publishing
                ? ", publication of batch " + head.committed().batch().orElseThrow() + " open"
                : "");
    return new Aftermath(planned.isPresent(), done, publishing, text);
  }

  /** Whether the kill hit something that another run had to finish. */
  boolean unfinished() {
    return planned || publishing;
  }
}
