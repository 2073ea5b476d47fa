package io.tidemill.query.plan;

import java.util.Optional;

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
 * @param sum scalar expression that merges two partial results, {@link #COLUMN} and {@link #OTHER},
 *     for functions so plain that it gives what {@code merge} does; empty for others
 * @param result scalar expression that gives the value; {@link #COLUMN} stands for the column
 * @param resultType DuckDB type of the value
 */
public record AggregateState(
    String name,
    String call,
    String storageType,
    String partial,
    String merge,
    Optional<String> sum,
    String result,
    String resultType) {
  /** Stands for the column with partial results. */
  public static final String COLUMN = OwnNames.PREFIX + "partial";

  /** Stands for the column with the other partial result. */
  public static final String OTHER = OwnNames.PREFIX + "other";

  /** Merges the partial results in a column. */
  public String merged(String column) {
    return merge.replace(COLUMN, column);
  }

  /** The partial results of two columns in one, if {@link #sum} is there. */
  public Optional<String> sumOf(String column, String other) {
    return sum.map(s -> s.replace(COLUMN, column).replace(OTHER, other));
  }

  /** The value of the partial result in a column. */
  public String value(String column) {
    return result.replace(COLUMN, column);
  }
}
