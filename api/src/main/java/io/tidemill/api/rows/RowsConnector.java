package io.tidemill.api.rows;

import io.tidemill.api.types.DataType;
import io.tidemill.api.types.Literals;
import io.tidemill.connectors.Options;
import io.tidemill.connectors.Source;
import io.tidemill.connectors.SourceConnector;
import io.tidemill.connectors.SourceLog;
import io.tidemill.connectors.SourceReader;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.protocol.source.SourcePosition;
import io.tidemill.protocol.source.SourceSplit;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.duckdb.DuckDBConnection;

/** The source {@code rows}: reads a {@link RowSet} as a static table. */
public final class RowsConnector implements SourceConnector {
  /** Its name, which no job file can use. */
  public static final String NAME = "rows";

  /** Option that names the rows. */
  public static final String ROWS = "name";

  private static final int ROWS_PER_INSERT_MAX = 500;

  private final RowSets sets;

  public RowsConnector(RowSets sets) {
    this.sets = sets;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void validate(Options options, Schema declared) {
    options.check(List.of(ROWS));
  }

  @Override
  public Schema rawSchema(Options options, Schema declared) {
    return sets.get(options.required(ROWS)).schema();
  }

  @Override
  public Optional<Payload> payload(Options options) {
    return Optional.empty();
  }

  @Override
  public Source open(Options options, Schema declared, SourceLog log) {
    return new Whole();
  }

  @Override
  public SourceReader reader(Options options, Schema declared) {
    return new Reader(sets.get(options.required(ROWS)));
  }

  /** Plans all rows as one split. */
  private static final class Whole implements Source {
    @Override
    public SourcePosition initial() {
      return new SourcePosition(Json.tree(0));
    }

    @Override
    public SourcePosition latest(SourcePosition known) {
      return new SourcePosition(Json.tree(1));
    }

    @Override
    public Range plan(SourcePosition from, SourcePosition latest, boolean limits, long now) {
      List<SourceSplit> splits =
          from.equals(latest) ? List.of() : List.of(new SourceSplit(Json.tree(0), 1));
      return new Range(latest, splits, 1, Optional.empty());
    }

    @Override
    public String description() {
      return NAME;
    }

    @Override
    public void close() {}
  }

  private static final class Reader implements SourceReader {
    private final RowSet set;

    Reader(RowSet set) {
      this.set = set;
    }

    @Override
    public Map<String, Long> read(
        List<SourceSplit> splits,
        DuckDBConnection db,
        String table,
        Set<String> columns,
        Path scratch) {
      List<List<Object>> rows = set.rows();
      for (int at = 0; at < rows.size(); at += ROWS_PER_INSERT_MAX) {
        insert(
            rows.subList(at, Math.min(rows.size(), at + ROWS_PER_INSERT_MAX)), db, table, columns);
      }
      return Map.of();
    }

    private void insert(
        List<List<Object>> rows, DuckDBConnection db, String table, Set<String> columns) {
      String sql =
          "INSERT INTO "
              + Sql.name(table)
              + " VALUES "
              + rows.stream().map(r -> values(r, columns)).collect(Collectors.joining(", "));
      try (Statement statement = db.createStatement()) {
        statement.execute(sql);
      } catch (SQLException e) {
        throw new TidemillException(
                ErrorCode.MALFORMED_RECORD, "A value is not of the type of its column.", e)
            .with("reason", String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
      }
    }

    private String values(List<Object> row, Set<String> columns) {
      StringBuilder values = new StringBuilder("(");
      for (int i = 0; i < set.schema().columns().size(); i++) {
        Column column = set.schema().columns().get(i);
        if (columns.stream().anyMatch(column.name()::equalsIgnoreCase)) {
          values.append(values.length() == 1 ? "" : ", ");
          values.append(Literals.of(row.get(i), DataType.parse(column.type())));
        }
      }
      return values.append(')').toString();
    }

    @Override
    public void close() {}
  }
}
