package io.tidemill.connectors.rate;

import io.tidemill.connectors.SourceReader;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.source.SourceSplit;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.duckdb.DuckDBConnection;

/** Makes the rows of the source {@code rate}. */
final class RateReader implements SourceReader {
  @Override
  public Map<String, Long> read(
      List<SourceSplit> splits,
      DuckDBConnection db,
      String table,
      Set<String> columns,
      Path scratch) {
    Map<String, Long> counts = new TreeMap<>();
    for (SourceSplit each : splits) {
      RateSource.Split s = Json.read(each.range().toString(), RateSource.Split.class);
      // Spark 4.2: times are spread evenly and rounded to milliseconds.
      String millis =
          String.format(
              Locale.ROOT,
              "(%d + CAST(round((value - %d) * (%d::DOUBLE / %d)) AS BIGINT))",
              s.startMillis(),
              s.from(),
              s.lastsMillis(),
              s.to() - s.from());
      GeneratedColumns.insert(
              db, table, columns, s.from(), s.to(), s.part(), s.parts(), millis + " * 1000")
          .forEach((name, count) -> counts.merge(name, count, Long::sum));
    }
    return counts;
  }

  @Override
  public void close() {}
}
