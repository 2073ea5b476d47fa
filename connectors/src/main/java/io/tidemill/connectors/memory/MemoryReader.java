package io.tidemill.connectors.memory;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.connectors.SourceReader;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.source.SourceSplit;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.duckdb.DuckDBConnection;

/** Reads added batches into a table. */
final class MemoryReader implements SourceReader {
  private final String name;
  private final MemoryStream stream;
  private final Schema declared;

  MemoryReader(String name, MemoryStream stream, Schema declared) {
    this.name = name;
    this.stream = stream;
    this.declared = declared;
  }

  @Override
  public Map<String, Long> read(
      List<SourceSplit> splits,
      DuckDBConnection db,
      String table,
      Set<String> columns,
      Path scratch) {
    List<Column> wanted =
        declared.columns().stream()
            .filter(c -> columns.stream().anyMatch(c.name()::equalsIgnoreCase))
            .toList();
    MemoryRows rows = new MemoryRows(declared, new Schema(wanted));
    List<List<String>> texts = new ArrayList<>();
    for (SourceSplit each : splits) {
      int add = Json.read(each.range().toString(), MemorySource.Split.class).add();
      int number = 0;
      for (JsonNode row : stream.rows(add)) {
        texts.add(rows.texts(row, place(add, number++)));
      }
    }
    try {
      rows.insert(texts, db, table);
    } catch (SQLException e) {
      throw new TidemillException(
              ErrorCode.MALFORMED_RECORD,
              "A value of a memory stream is not of the column's type.",
              e)
          .with("stream", name)
          .with("reason", String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }
    return Map.of();
  }

  private String place(int add, int row) {
    return name + ":" + add + ":" + row;
  }

  @Override
  public void close() {}
}
