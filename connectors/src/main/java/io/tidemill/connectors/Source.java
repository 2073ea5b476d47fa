package io.tidemill.connectors;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.source.SourcePosition;
import io.tidemill.protocol.source.SourceSplit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The orchestrator's side of a source: knows positions, never rows. One instance per query run,
 * used by one thread. Positions come from the checkpoint, never from the outside system.
 *
 * <p>Errors: {@code SOURCE_UNAVAILABLE} if it does not answer, {@code SOURCE_MISSING} if what
 * should be read is not there, {@code DATA_LOSS} if rows between two positions are gone.
 */
public interface Source extends AutoCloseable {
  /** Where a query without a checkpoint starts. */
  SourcePosition initial();

  /**
   * The newest position that can be read now. For an available-now run it is asked once at the
   * start and given to {@link #plan} as the ceiling.
   *
   * @param known the newest position this query has seen, never to be gone behind
   */
  SourcePosition latest(SourcePosition known);

  /**
   * Plans the next batch: the end position within the source's limits, and the splits.
   *
   * @param from where the batch starts
   * @param latest no further than this
   * @param limits false for the trigger "once", which ignores maxOffsetsPerTrigger and its like
   * @param nowMillis the clock, for limits that wait
   * @return the batch; its end equals {@code from} if there is nothing to read (or not enough yet)
   */
  Range plan(SourcePosition from, SourcePosition latest, boolean limits, long nowMillis);

  /**
   * Tells the source that everything before the position is committed, e.g. for clean-up of files.
   * Idempotent; called after the commit; its failure does not fail the batch.
   */
  default void committed(SourcePosition end) {}

  /** Metrics for progress, e.g. how far behind the latest position the given one is. */
  default Map<String, String> metrics(SourcePosition end, SourcePosition latest) {
    return Map.of();
  }

  /** A position as progress shows it: Spark's form, where Spark has one. */
  default JsonNode shown(SourcePosition position) {
    return position.json();
  }

  /** For people, e.g. {@code kafka[subscribe=orders]}; no secrets. */
  String description();

  @Override
  void close();

  /**
   * @param end where the batch ends; the next one starts there
   * @param splits the parts, in a stable order; empty if there is nothing to read
   * @param rowsEstimate about how many rows, to size the batch's tasks
   * @param waitMillis if there is data that a limit holds back, when to ask again at the latest
   */
  record Range(
      SourcePosition end, List<SourceSplit> splits, long rowsEstimate, Optional<Long> waitMillis) {}
}
