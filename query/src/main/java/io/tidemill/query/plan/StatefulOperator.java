package io.tidemill.query.plan;

import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.schema.Column;
import java.util.List;
import java.util.Optional;

/** An operator that keeps state between batches. It stands at the head of its stage. */
public sealed interface StatefulOperator {
  /** Columns by which rows are spread over buckets; empty if all go to bucket 0. */
  List<Column> keys();

  /**
   * Expression over the operator's input rows whose value decides lateness and eviction: at or
   * before the watermark means late, or to be evicted. Empty if there is no watermark on the keys.
   */
  Optional<String> eventTime();

  /** Spark's name of the operator, for progress. */
  String sparkName();

  /**
   * Grouped aggregation.
   *
   * @param keys named k0, k1, … in the operator's input and output
   * @param groupingSets indexes into keys; one set with all keys for a plain GROUP BY. With more
   *     than one set, the last key is the grouping id
   * @param global true without GROUP BY: there is always one row
   */
  record Aggregate(
      List<Column> keys,
      List<AggregateState> aggregates,
      List<List<Integer>> groupingSets,
      boolean global,
      Optional<String> eventTime,
      OutputMode mode)
      implements StatefulOperator {
    @Override
    public String sparkName() {
      return "stateStoreSave";
    }
  }

  /**
   * Deduplication; the first row of a key passes.
   *
   * @param keys names of input columns
   * @param columns all input columns, which are also the output
   * @param eventTime the time column for lateness; a row at or before the late watermark is dropped
   * @param evictKey the key column that evicts, if one of the keys is the time column
   * @param expiryMillis for deduplication within the watermark: state expires this long after the
   *     first row's time
   */
  record Deduplicate(
      List<Column> keys,
      List<Column> columns,
      Optional<String> eventTime,
      Optional<String> evictKey,
      Optional<Long> expiryMillis)
      implements StatefulOperator {
    @Override
    public String sparkName() {
      return expiryMillis.isPresent() ? "dedupeWithinWatermark" : "dedupe";
    }
  }

  /**
   * The first rows of the query's life.
   *
   * @param columns all input columns, which are also the output
   */
  record Limit(List<Column> columns, long rows) implements StatefulOperator {
    @Override
    public List<Column> keys() {
      return List.of();
    }

    @Override
    public Optional<String> eventTime() {
      return Optional.empty();
    }

    @Override
    public String sparkName() {
      return "globalLimit";
    }
  }
}
