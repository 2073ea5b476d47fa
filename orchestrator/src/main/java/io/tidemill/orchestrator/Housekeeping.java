package io.tidemill.orchestrator;

import io.tidemill.checkpoint.GarbageCollector;
import io.tidemill.checkpoint.Head;
import io.tidemill.checkpoint.History;
import io.tidemill.protocol.BatchId;
import io.tidemill.storage.Blob;
import io.tidemill.storage.Register;
import java.util.List;
import java.util.Optional;

/** Tidies up behind committed and published batches. Everything here may be done twice or never. */
final class Housekeeping {
  private final History history;
  private final GarbageCollector collector;
  private final int collectEveryBatches;
  private final int retainBatches;

  Housekeeping(
      Blob checkpoint, Register register, OrchestratorSettings settings, int retainBatches) {
    this.history = new History(checkpoint);
    this.collector = new GarbageCollector(checkpoint, register);
    this.collectEveryBatches = settings.collectEveryBatches();
    this.retainBatches = retainBatches;
  }

  private boolean isCollectionDue(BatchId batch) {
    return batch.value() % collectEveryBatches == collectEveryBatches - 1;
  }

  /**
   * @param head the head with the batch committed, as stored
   * @param shuffles shuffle files of the batch
   * @return up to which batch history is in a blob, to be dropped from the head
   */
  Optional<BatchId> after(Head head, List<String> shuffles) {
    collector.deleteShuffles(shuffles);
    if (isCollectionDue(head.committed().batch().orElseThrow())) {
      collector.collect(head, retainBatches);
    }
    return history.flushIfDue(head);
  }
}
