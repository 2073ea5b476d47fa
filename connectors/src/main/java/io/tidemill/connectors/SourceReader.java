package io.tidemill.connectors;

import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.source.SourceSplit;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.duckdb.DuckDBConnection;

/**
 * The function's side of a source: reads splits into a table. Kept by a function instance between
 * tasks, so that connections stay warm; used by one thread.
 *
 * <p>Reading the same split again gives the same rows in the same order.
 */
public interface SourceReader extends AutoCloseable {
  /**
   * Appends the rows of the splits to a table that has the columns of {@link
   * SourceConnector#rawSchema} named in {@code columns}, in schema order.
   *
   * @param scratch an empty local directory that DuckDB may read from, for sources that let DuckDB
   *     read files; DuckDB may reach no other place
   * @return the reader's own counts, for metrics
   */
  Map<String, Long> read(
      List<SourceSplit> splits,
      DuckDBConnection db,
      String table,
      Set<String> columns,
      Path scratch);

  /**
   * Offers the rows of the splits to one query, without a table between: faster where the source
   * can do it. Reading happens while the query runs.
   *
   * @return the scan, to be closed before the next use of this reader; empty if the source only
   *     {@link #read}s into tables
   */
  default Optional<Scan> scan(List<SourceSplit> splits, DuckDBConnection db, Set<String> columns) {
    return Optional.empty();
  }

  @Override
  void close();

  /** Rows on their way into a query. Used by one thread. */
  interface Scan extends AutoCloseable {
    /**
     * What to write after FROM: a subquery with the columns asked for, in schema order. Good for
     * one scan by the next statement; a second one fails.
     */
    String relation();

    /** The reader's own counts, complete when the statement is done. */
    Map<String, Long> counts();

    /** The source's error behind a statement that failed, of which DuckDB tells only the text. */
    Optional<TidemillException> failure();

    @Override
    void close();
  }
}
