package io.tidemill.protocol.task;

/**
 * What a stateful operator did in one task.
 *
 * @param operator stage id
 * @param rowsUpdated state rows inserted or changed
 * @param rowsRemoved state rows evicted
 * @param lateRows input rows dropped as late, exactly
 * @param lateGroups groups dropped as late, as Spark counts after partial aggregation
 */
public record OperatorStats(
    int operator, long rowsUpdated, long rowsRemoved, long lateRows, long lateGroups) {

  public OperatorStats plus(OperatorStats other) {
    return new OperatorStats(
        operator,
        rowsUpdated + other.rowsUpdated,
        rowsRemoved + other.rowsRemoved,
        lateRows + other.lateRows,
        lateGroups + other.lateGroups);
  }
}
