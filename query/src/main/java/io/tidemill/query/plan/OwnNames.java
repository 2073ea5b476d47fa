package io.tidemill.query.plan;

/**
 * Names that the engine gives to tables and columns of its own, beside those of a job. A job may
 * use any other name.
 */
public final class OwnNames {
  /** Start of the names of columns and placeholders; a query must not hold it anywhere. */
  public static final String PREFIX = "__tidemill_";

  /** Start of the names of tables, beside those of the job's static tables. */
  public static final String TABLES = "__";

  /** The relation a stage's segment reads. */
  public static final String INPUT = PREFIX + "input";

  /** Column with the bucket of a row on its way to an operator; see {@code Renaming}. */
  public static final String BUCKET = "_bucket";

  /** The variable with the batch's timestamp, of type TIMESTAMP WITH TIME ZONE. */
  public static final String BATCH_TIME = "tidemill_batch_time";

  /** The variable with a text that no other task of any query has. */
  public static final String TASK = "tidemill_task";

  private OwnNames() {}
}
