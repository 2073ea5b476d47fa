package io.tidemill.query.plan;

/**
 * How one aggregate function keeps its partial result, as SQL. State between batches, in files and
 * in shuffles is always of a plain, storable type.
 *
 * @param name column of the partial result, e.g. {@code a0}
 * @param call the call as written, for people
 * @param storageType DuckDB type of the stored partial result
 * @param partial aggregate expression over the operator's input rows that gives a partial result
 * @param merge aggregate expression that merges partial results; {@link #COLUMN} stands for the
 *     column
 * @param result scalar expression that gives the value; {@link #COLUMN} stands for the column
 * @param resultType DuckDB type of the value
 */
public record AggregateState(
    String name,
    String call,
    String storageType,
    String partial,
    String merge,
    String result,
    String resultType) {
  /** Stands for the column with partial results. */
  public static final String COLUMN = OwnNames.PREFIX + "partial";

  /** Merges the partial results in a column. */
  public String merged(String column) {
    return merge.replace(COLUMN, column);
  }

  /** The value of the partial result in a column. */
  public String value(String column) {
    return result.replace(COLUMN, column);
  }
}
