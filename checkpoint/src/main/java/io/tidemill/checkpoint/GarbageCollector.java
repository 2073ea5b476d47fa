package io.tidemill.checkpoint;

import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.state.StateFile;
import io.tidemill.protocol.state.StateVersion;
import io.tidemill.storage.Blob;
import io.tidemill.storage.Register;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Deletes what no retained version needs. References go first, data after: {@link #forget} makes
 * the head's next value, and only once that is written {@link #collect} deletes what it no longer
 * names. Whatever dies in between is found by the next collection, which goes by listings.
 *
 * <p>An outdated run may collect too: its horizon is older, and a file it may delete is named by no
 * newer version, since versions only add files of their own batches to those they had.
 */
public final class GarbageCollector {
  /** Objects deleted from one area in one collection; the rest waits for the next. */
  static final int DELETES_MAX = 10_000;

  private static final int PAGE = 1_000;

  /** Versions of the head kept at least, where the register keeps any. */
  private static final int HEADS_MIN = 100;

  private final Blob blob;
  private final Register register;

  public GarbageCollector(Blob blob, Register register) {
    this.blob = blob;
    this.register = register;
  }

  /** The first batch to retain when the given one is committed. */
  static long horizon(BatchId committed, int retainBatches) {
    return committed.value() - retainBatches;
  }

  /** The state without references to files that no version from the horizon on reads. */
  public static Map<Integer, StateVersion> forget(
      Map<Integer, StateVersion> state, BatchId committed, int retainBatches) {
    Map<Integer, StateVersion> kept = new HashMap<>();
    state.forEach((stage, v) -> kept.put(stage, v.forget(horizon(committed, retainBatches))));
    return kept;
  }

  /** Deletes what lies behind the horizon of a stored head and is not named by it. */
  public void collect(Head head, int retainBatches) {
    if (head.committed().batch().isEmpty()) {
      return;
    }
    BatchId committed = head.committed().batch().get();
    long horizon = horizon(committed, retainBatches);
    for (String area :
        List.of(CheckpointKeys.TASKS, CheckpointKeys.LAYOUTS, CheckpointKeys.HEADS)) {
      sweepFront(area, head.timeline(), horizon);
    }
    sweepFront(CheckpointKeys.SHUFFLE, head.timeline(), committed.value());
    Set<String> named = named(head);
    sweepAll(CheckpointKeys.STATE, head.timeline(), horizon, named);
    sweepAll(CheckpointKeys.SINK, head.timeline(), horizon, named);
    register.prune(CheckpointKeys.HEAD, Math.max(retainBatches, HEADS_MIN));
  }

  /** Deletes shuffle files of a committed batch. */
  public void deleteShuffles(List<String> keys) {
    keys.forEach(blob::delete);
  }

  private static Set<String> named(Head head) {
    Set<String> named = new HashSet<>();
    for (StateVersion version : head.committed().state().values()) {
      version.segments().stream()
          .flatMap(s -> s.files().stream())
          .map(StateFile::key)
          .forEach(named::add);
      version.obsolete().forEach(o -> named.add(o.key()));
    }
    return named;
  }

  /** Deletes from the front of an area whose keys start with timeline and batch. */
  private void sweepFront(String area, Timeline timeline, long before) {
    String prefix = area + "/" + timeline + "/";
    for (int deletes = 0; deletes < DELETES_MAX; ) {
      List<String> page = blob.list(prefix, "", PAGE);
      for (String key : page) {
        OptionalLong batch = CheckpointKeys.batchOf(key, timeline);
        if (batch.isEmpty() || batch.getAsLong() >= before) {
          return;
        }
        blob.delete(key);
        deletes++;
      }
      if (page.size() < PAGE) {
        return;
      }
    }
  }

  /** Deletes from all of an area what is old enough and not named. */
  private void sweepAll(String area, Timeline timeline, long before, Set<String> named) {
    String after = "";
    for (int deletes = 0; deletes < DELETES_MAX; ) {
      List<String> page = blob.list(area + "/", after, PAGE);
      for (String key : page) {
        OptionalLong batch = CheckpointKeys.batchOf(key, timeline);
        if (batch.isPresent() && batch.getAsLong() < before && !named.contains(key)) {
          blob.delete(key);
          deletes++;
        }
      }
      if (page.size() < PAGE) {
        return;
      }
      after = page.get(page.size() - 1);
    }
  }
}
