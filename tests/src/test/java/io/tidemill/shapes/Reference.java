package io.tidemill.shapes;

import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Plain DuckDB over the whole input. It also writes the input's files, each with a modification
 * time of its own, so that they are read in order.
 */
final class Reference implements AutoCloseable {
  /** Files are this old at most; sources look at modification times. */
  private static final long FIRST_FILE_MILLIS = 1_700_000_000_000L;

  /** Filters go below the watermark: some rows of the far future must pass each of them. */
  private static final int FUTURE_ROWS = 60;

  private final Connection connection;
  private final Path files;

  private Reference(Path files) throws SQLException {
    this.connection = DriverManager.getConnection("jdbc:duckdb:");
    this.files = files;
    execute("SET threads = 1");
    execute("SET TimeZone = 'UTC'");
    execute("CREATE MACRO seed() AS " + Seed.VALUE);
    execute("CREATE MACRO rnd(i, salt, n) AS CAST(hash(i, salt, seed()) % n AS BIGINT)");
    execute("CREATE MACRO nul(i, salt, x) AS CASE WHEN rnd(i, salt + 500, 12) > 0 THEN x END");
  }

  /** Makes all datasets and static tables. */
  static Reference over(Path files) throws SQLException, IOException {
    Reference reference = new Reference(files);
    for (Dataset dataset : Dataset.ALL) {
      reference.make(dataset);
    }
    for (String table : Dimensions.ROWS.keySet()) {
      reference.execute("CREATE TABLE " + table + " (" + Dimensions.COLUMNS.get(table) + ")");
      reference.execute("INSERT INTO " + table + " " + Dimensions.ROWS.get(table));
      Files.createDirectories(files.resolve(table));
      reference.copy("SELECT * FROM " + table, files.resolve(table).resolve("rows.parquet"), 0);
    }
    return reference;
  }

  /** The data files of a stream in order; the one of the far future is the last. */
  List<Path> files(Dataset dataset) {
    List<Path> paths = new ArrayList<>();
    for (int file = 0; file <= Dataset.FILES; file++) {
      paths.add(files.resolve(dataset.name()).resolve("file-" + file + ".parquet"));
    }
    return paths;
  }

  /** Directory of a static table's file. */
  Path directory(String table) {
    return files.resolve(table);
  }

  private void make(Dataset dataset) throws SQLException, IOException {
    Random random = Seed.random(dataset.name());
    int[] sizes = dataset.sizes(random);
    execute("CREATE TABLE " + dataset.name() + " (" + dataset.ddl() + ")");
    Files.createDirectories(files.resolve(dataset.name()));
    long from = dataset.firstId();
    List<Path> paths = files(dataset);
    for (int file = 0; file < sizes.length; file++) {
      String rows = rows(dataset, from, from + sizes[file], file);
      execute("INSERT INTO " + dataset.name() + " " + rows);
      copy(rows, paths.get(file), file);
      from += sizes[file];
    }
    copy(rows(dataset, from, from + FUTURE_ROWS, 100_000), paths.get(sizes.length), sizes.length);
  }

  private static String rows(Dataset dataset, long from, long to, int file) {
    return "SELECT "
        + dataset.select()
        + " FROM (SELECT r AS i, "
        + file
        + "::BIGINT AS f FROM range("
        + from
        + ", "
        + to
        + ") AS q(r))";
  }

  private void copy(String select, Path file, int number) throws SQLException, IOException {
    execute("COPY (" + select + ") TO " + Sql.text(file.toString()) + " (FORMAT parquet)");
    Files.setLastModifiedTime(file, FileTime.fromMillis(FIRST_FILE_MILLIS + number * 1000L));
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /**
   * Makes the table {@code judged}: the rows of the stream with late rows, and in {@code late} the
   * watermark that a row of its batch must be behind of, null for none. This is the rule in its
   * plainest form: the watermark of a batch is that of all rows before it, less the delay; rows are
   * judged by the watermark of the batch before theirs.
   *
   * @param batches rows of each batch in order
   */
  void judge(List<Long> batches) throws SQLException {
    execute("CREATE OR REPLACE TABLE batches (low BIGINT, high BIGINT, late TIMESTAMP)");
    String used = "NULL::TIMESTAMP";
    String late = "NULL::TIMESTAMP";
    long first = new Dataset(Dataset.LATE, "", "").firstId();
    long from = first;
    for (long rows : batches) {
      execute("INSERT INTO batches VALUES (" + from + ", " + (from + rows) + ", " + late + ")");
      from += rows;
      late = used;
      used =
          "(SELECT date_trunc('milliseconds', max(ts)) - INTERVAL 10 MINUTES FROM "
              + Dataset.LATE
              + " WHERE id < "
              + from
              + ")";
    }
    execute(
        "CREATE OR REPLACE TABLE judged AS SELECT t.*, b.late FROM "
            + Dataset.LATE
            + " AS t JOIN batches AS b ON t.id >= b.low AND t.id < b.high");
  }

  /** Columns of a query. */
  Schema columns(String query) throws SQLException {
    List<Column> columns = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("DESCRIBE " + query)) {
      while (rows.next()) {
        columns.add(Column.of(rows.getString(1), rows.getString(2)));
      }
    }
    return new Schema(columns);
  }

  /** Rows of a query, as {@link Values} has them. */
  List<List<Object>> rows(String query) throws SQLException {
    List<List<Object>> all = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        List<Object> row = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
          row.add(Values.of(rows.getObject(i)));
        }
        all.add(row);
      }
    }
    return all;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
