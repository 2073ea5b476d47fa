package io.tidemill.connectors.rate;

import io.tidemill.connectors.SourceReader;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.source.SourceSplit;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.duckdb.DuckDBConnection;

/** Makes the rows of the source {@code rate-micro-batch}. */
final class RateMicroBatchReader implements SourceReader {
  @Override
  public Map<String, Long> read(
      List<SourceSplit> splits,
      DuckDBConnection db,
      String table,
      Set<String> columns,
      Path scratch) {
    Map<String, Long> counts = new TreeMap<>();
    for (SourceSplit each : splits) {
      RateMicroBatchSource.Split s =
          Json.read(each.range().toString(), RateMicroBatchSource.Split.class);
      String micros = Long.toString(s.timestamp() * 1000);
      GeneratedColumns.insert(db, table, columns, s.from(), s.to(), s.part(), s.parts(), micros)
          .forEach((name, count) -> counts.merge(name, count, Long::sum));
    }
    return counts;
  }

  @Override
  public void close() {}
}
