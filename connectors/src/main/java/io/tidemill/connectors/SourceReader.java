package io.tidemill.connectors;

import io.tidemill.protocol.source.SourceSplit;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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

  @Override
  void close();
}
