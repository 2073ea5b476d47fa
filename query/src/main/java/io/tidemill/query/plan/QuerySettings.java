package io.tidemill.query.plan;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

/**
 * Settings of one query, with defaults in {@link #DEFAULT}.
 *
 * @param trigger when batches run
 * @param checkpoint location of this query's checkpoint; empty if the job names none
 * @param noDataBatches whether a moved watermark alone is worth a batch
 * @param watermarkPolicy {@code min} or {@code max} over several inputs
 * @param idleTimeoutMillis an input without rows for this long no longer holds the watermark; 0 for
 *     never
 * @param retainBatches versions kept for looking back
 * @param state in what state is kept; fixed for the life of a checkpoint
 */
@JsonIgnoreProperties(ignoreUnknown = false)
public record QuerySettings(
    Trigger trigger,
    String checkpoint,
    boolean noDataBatches,
    String watermarkPolicy,
    long idleTimeoutMillis,
    int retainBatches,
    StateForm state) {
  public static final QuerySettings DEFAULT =
      new QuerySettings(Trigger.asFastAsPossible(), "", true, "min", 0, 100, StateForm.OBJECT);

  /** Settings of a query with state in objects. */
  public QuerySettings(
      Trigger trigger,
      String checkpoint,
      boolean noDataBatches,
      String watermarkPolicy,
      long idleTimeoutMillis,
      int retainBatches) {
    this(
        trigger,
        checkpoint,
        noDataBatches,
        watermarkPolicy,
        idleTimeoutMillis,
        retainBatches,
        StateForm.OBJECT);
  }

  public QuerySettings withTrigger(Trigger trigger) {
    return new QuerySettings(
        trigger,
        checkpoint,
        noDataBatches,
        watermarkPolicy,
        idleTimeoutMillis,
        retainBatches,
        state);
  }

  public QuerySettings withCheckpoint(String checkpoint) {
    return new QuerySettings(
        trigger,
        checkpoint,
        noDataBatches,
        watermarkPolicy,
        idleTimeoutMillis,
        retainBatches,
        state);
  }
}
