package io.tidemill.checkpoint;

import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.source.SourcePosition;
import io.tidemill.protocol.state.StateVersion;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Everything a query has done so far.
 *
 * @param batch the last committed batch; empty before the first
 * @param positions where each source goes on
 * @param inputs event times seen of each source
 * @param used eviction watermark of the batch; the next batch judges lateness by it
 * @param next global watermark after the batch
 * @param state version of each stateful operator's state, by stage id
 * @param publication what is to be shown in the sinks, until that is known to be done
 */
public record Committed(
    Optional<BatchId> batch,
    List<SourcePosition> positions,
    List<InputActivity> inputs,
    Watermark used,
    Watermark next,
    Map<Integer, StateVersion> state,
    Optional<Publication> publication) {
  public Committed {
    positions = List.copyOf(positions);
    inputs = List.copyOf(inputs);
    state = new TreeMap<>(state);
    if (positions.size() != inputs.size()) {
      throw new IllegalArgumentException("each source needs a position and an activity");
    }
  }

  /** Nothing yet, with the positions to start from. */
  public static Committed start(List<SourcePosition> positions, long nowMillis) {
    List<InputActivity> inputs =
        positions.stream().map(p -> new InputActivity(Optional.empty(), nowMillis)).toList();
    return new Committed(
        Optional.empty(),
        positions,
        inputs,
        Watermark.NONE,
        Watermark.NONE,
        Map.of(),
        Optional.empty());
  }

  /** The batch to run next. */
  public BatchId following() {
    return batch.map(BatchId::next).orElse(BatchId.FIRST);
  }

  /** The state of an operator, empty if it never had any. */
  public StateVersion state(int stage) {
    return state.getOrDefault(stage, StateVersion.EMPTY);
  }

  Committed published() {
    return new Committed(batch, positions, inputs, used, next, state, Optional.empty());
  }
}
