package io.tidemill.connectors.file;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.storage.Keys;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.duckdb.DuckDBConnection;

/**
 * Writes a table as local files: one, or one per combination of partition values, and more if a
 * file would have too many rows.
 */
final class FileLayout {
  /** Most files of a task in one directory. */
  static final long NUMBERS_MAX = 1_000_000;

  /** Files DuckDB writes at a time; beyond 100 it would write several per directory. */
  private static final int FILES_AT_ONCE = 100;

  private static final String GROUPS = "tidemill_sink_groups";
  private static final String NUMBERED = "tidemill_sink_rows";

  /** Columns beside those of the table, named so that no table has them. */
  private static final String KEY = "__tidemill_key_";

  private static final String CHUNK = "__tidemill_chunk";
  private static final String NUMBER = "__tidemill_number";
  private static final String ROWS = "__tidemill_rows";

  private final FileSinkOptions options;
  private final FileCopy copy;

  FileLayout(FileSinkOptions options) {
    this.options = options;
    this.copy = new FileCopy(options);
  }

  /**
   * A file as written.
   *
   * @param directory where it belongs below the target: empty, or names and a slash at the end
   * @param number number of the file within its directory, from 0
   */
  record LocalFile(Path path, String directory, long number, long rows) {}

  /** Writes the files into the directory; none for a table without rows. */
  List<LocalFile> write(DuckDBConnection db, String table, Path scratch) {
    try (Statement statement = db.createStatement()) {
      long rows = number(statement, "SELECT count(*) FROM " + Sql.name(table));
      if (rows == 0) {
        return List.of();
      }
      return options.partitionBy().isEmpty()
          ? plain(statement, table, rows, scratch)
          : partitioned(statement, table, scratch);
    } catch (SQLException e) {
      throw new TidemillException(ErrorCode.QUERY_FAILED, "Rows could not be written to files.", e)
          .with("reason", String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }
  }

  private static long number(Statement statement, String sql) throws SQLException {
    try (ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getLong(1);
    }
  }

  private List<LocalFile> plain(Statement statement, String table, long rows, Path scratch)
      throws SQLException {
    long perFile = options.maxRowsPerFile().orElse(rows);
    List<LocalFile> files = new ArrayList<>();
    for (long from = 0; from < rows; from += perFile) {
      Path file = scratch.resolve("rows-" + files.size());
      String select = "SELECT " + copy.columns() + " FROM " + Sql.name(table);
      String limit = perFile < rows ? " LIMIT " + perFile + " OFFSET " + from : "";
      statement.execute(copy.statement(select + limit, file, ""));
      files.add(new LocalFile(file, "", files.size(), Math.min(perFile, rows - from)));
    }
    return files;
  }

  /**
   * Numbers the combinations of partition values, lets DuckDB write a directory per number, and
   * names the directories itself: so it knows the rows of each file, and the names are Spark's.
   */
  private List<LocalFile> partitioned(Statement statement, String table, Path scratch)
      throws SQLException {
    int keys = options.partitionBy().size();
    String keyNames =
        IntStream.range(0, keys).mapToObj(i -> KEY + i).collect(Collectors.joining(", "));
    number(statement, table, keyNames);
    statement.execute(
        "CREATE OR REPLACE TABLE "
            + GROUPS
            + " AS SELECT row_number() OVER (ORDER BY "
            + keyNames
            + ", "
            + CHUNK
            + ") - 1 AS "
            + NUMBER
            + ", * FROM (SELECT "
            + keyNames
            + ", "
            + CHUNK
            + ", count(*) AS "
            + ROWS
            + " FROM "
            + NUMBERED
            + " GROUP BY ALL)");
    List<LocalFile> files = groups(statement, keys, scratch);
    for (int from = 0; from < files.size(); from += FILES_AT_ONCE) {
      writeGroups(statement, keys, from, scratch);
    }
    statement.execute("DROP TABLE " + GROUPS);
    statement.execute("DROP TABLE " + NUMBERED);
    return files;
  }

  private void number(Statement statement, String table, String keyNames) throws SQLException {
    // The empty text has no directory of its own: it is null, as in Spark.
    String keys =
        IntStream.range(0, options.partitionBy().size())
            .mapToObj(
                i ->
                    "nullif(CAST("
                        + Sql.name(options.partitionBy().get(i))
                        + " AS VARCHAR), '') AS "
                        + KEY
                        + i)
            .collect(Collectors.joining(", "));
    String chunk =
        options.maxRowsPerFile().isPresent()
            ? "(row_number() OVER (PARTITION BY "
                + keyNames
                + ") - 1) // "
                + options.maxRowsPerFile().getAsLong()
            : "0";
    statement.execute(
        "CREATE OR REPLACE TABLE "
            + NUMBERED
            + " AS SELECT *, "
            + chunk
            + " AS "
            + CHUNK
            + " FROM (SELECT "
            + keys
            + ", t.* FROM "
            + Sql.name(table)
            + " t)");
  }

  private List<LocalFile> groups(Statement statement, int keys, Path scratch) throws SQLException {
    List<LocalFile> files = new ArrayList<>();
    try (ResultSet rows =
        statement.executeQuery("SELECT * FROM " + GROUPS + " ORDER BY " + NUMBER)) {
      while (rows.next()) {
        StringBuilder directory = new StringBuilder();
        for (int i = 0; i < keys; i++) {
          directory.append(directory(options.partitionBy().get(i), rows.getString(i + 2)));
          directory.append('/');
        }
        Path written =
            scratch.resolve("rows").resolve(NUMBER + "=" + rows.getLong(1)).resolve("data_0");
        String name = written.getFileName() + "." + options.extension();
        files.add(
            new LocalFile(
                written.resolveSibling(name),
                directory.toString(),
                rows.getLong(keys + 2),
                rows.getLong(keys + 3)));
      }
    }
    return files;
  }

  private static String directory(String column, String value) {
    String name = Partitions.directory(column, value);
    if (name.getBytes(StandardCharsets.UTF_8).length > Keys.PART_BYTES_MAX) {
      throw new TidemillException(
              ErrorCode.QUERY_FAILED,
              "A value of a partition column is too long for the name of a directory: partition by"
                  + " something shorter.")
          .with("column", column)
          .with("bytesMax", Keys.PART_BYTES_MAX);
    }
    return name;
  }

  private void writeGroups(Statement statement, int keys, int from, Path scratch)
      throws SQLException {
    String same =
        IntStream.range(0, keys)
            .mapToObj(i -> " AND r." + KEY + i + " IS NOT DISTINCT FROM g." + KEY + i)
            .collect(Collectors.joining());
    String select =
        "SELECT "
            + copy.columns()
            + ", "
            + NUMBER
            + " FROM "
            + NUMBERED
            + " r JOIN "
            + GROUPS
            + " g ON r."
            + CHUNK
            + " = g."
            + CHUNK
            + same
            + " WHERE "
            + NUMBER
            + " BETWEEN "
            + from
            + " AND "
            + (from + FILES_AT_ONCE - 1);
    statement.execute(
        copy.statement(
            select,
            scratch.resolve("rows"),
            ", PARTITION_BY ("
                + NUMBER
                + "), OVERWRITE_OR_IGNORE, FILE_EXTENSION "
                + Sql.text(options.extension())));
  }
}
