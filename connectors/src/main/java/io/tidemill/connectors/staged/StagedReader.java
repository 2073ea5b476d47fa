package io.tidemill.connectors.staged;

import io.tidemill.connectors.SinkPublisher;
import io.tidemill.connectors.types.SqlType;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.storage.Blob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads back what {@link StagedWriter} staged, with a small database of its own. Used by one
 * thread.
 */
public final class StagedReader implements AutoCloseable {
  private final Blob checkpoint;
  private final Schema rows;
  private final Leftovers leftovers;
  private Connection db;

  /**
   * @param sink what the sink is called in the job, as given to the writer
   */
  public StagedReader(Blob checkpoint, String sink, Schema rows) {
    this.checkpoint = checkpoint;
    this.rows = rows;
    this.leftovers = new Leftovers(checkpoint, StagedWriter.prefix(sink));
  }

  /** How many rows the tasks staged. */
  public static long count(List<SinkPublisher.Staged> outputs) {
    return outputs.stream().mapToLong(o -> StagedRows.of(o.output()).rows()).sum();
  }

  /**
   * All rows, in the order of the outputs, or empty if some are gone, which means that the batch
   * has been published and {@link #published} was called. Values are as {@link JavaValues} gives
   * them.
   */
  public Optional<List<List<Object>>> values(List<SinkPublisher.Staged> outputs) {
    return read(
        outputs,
        Long.MAX_VALUE,
        c -> cast(restored(c), SqlType.parse(c.type()).zoned().text()),
        (row, i) -> JavaValues.of(row.getObject(i)));
  }

  /** The first rows as texts, null for null; empty as for {@link #values}. */
  public Optional<List<List<String>>> texts(List<SinkPublisher.Staged> outputs, long limit) {
    return read(outputs, limit, c -> cast(restored(c), "VARCHAR"), ResultSet::getString);
  }

  /** Removes what was staged for a batch that is visible now, and leftovers before it. */
  public void published(Timeline timeline, BatchId batch, List<SinkPublisher.Staged> outputs) {
    outputs.forEach(o -> StagedRows.of(o.output()).key().ifPresent(checkpoint::delete));
    leftovers.published(timeline, batch);
  }

  private interface Getter<T> {
    T get(ResultSet row, int column) throws SQLException;
  }

  /** The column as it was before it was stored. */
  private static String restored(Column column) {
    return cast(Sql.name(column.name()), column.type());
  }

  private static String cast(String value, String type) {
    return "CAST(" + value + " AS " + type + ")";
  }

  private <T> Optional<List<List<T>>> read(
      List<SinkPublisher.Staged> outputs,
      long limit,
      Function<Column, String> expression,
      Getter<T> getter) {
    List<List<T>> all = new ArrayList<>();
    for (SinkPublisher.Staged output : outputs) {
      StagedRows staged = StagedRows.of(output.output());
      if (all.size() >= limit) {
        break;
      }
      Optional<Path> file =
          staged.key().isPresent()
              ? checkpoint.localFile(staged.key().get())
              : Optional.of(unpacked(staged.parquet().orElseThrow()));
      if (file.isEmpty()) {
        return Optional.empty();
      }
      readFile(file.get(), limit - all.size(), expression, getter, all);
      if (staged.parquet().isPresent()) {
        delete(file.get());
      }
    }
    return Optional.of(all);
  }

  private <T> void readFile(
      Path file,
      long limit,
      Function<Column, String> expression,
      Getter<T> getter,
      List<List<T>> all) {
    String select = rows.columns().stream().map(expression).collect(Collectors.joining(", "));
    String sql =
        "SELECT "
            + select
            + " FROM read_parquet("
            + Sql.text(file.toString())
            + ", hive_partitioning = false)";
    try (Statement statement = database().createStatement();
        ResultSet result = statement.executeQuery(sql + " LIMIT " + limit)) {
      int columns = rows.columns().size();
      while (result.next()) {
        List<T> row = new ArrayList<>(columns);
        for (int i = 1; i <= columns; i++) {
          row.add(getter.get(result, i));
        }
        all.add(row);
      }
    } catch (SQLException e) {
      throw new TidemillException(
          ErrorCode.CHECKPOINT_CORRUPT, "Rows staged for a sink cannot be read back.", e);
    }
  }

  private Connection database() throws SQLException {
    if (db == null) {
      db = DriverManager.getConnection("jdbc:duckdb:");
      try (Statement statement = db.createStatement()) {
        statement.execute("SET threads = 1");
        statement.execute("SET TimeZone = 'UTC'");
      }
    }
    return db;
  }

  private static Path unpacked(String base64) {
    try {
      Path file = Files.createTempFile("tidemill-rows", ".parquet");
      return Files.write(file, Base64.getDecoder().decode(base64));
    } catch (IOException e) {
      throw new TidemillException(
          ErrorCode.STORAGE_UNAVAILABLE, "Staged rows could not be put into a local file.", e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new TidemillException(
              ErrorCode.STORAGE_UNAVAILABLE, "A temporary file could not be removed.", e)
          .with("file", file);
    }
  }

  @Override
  public void close() {
    try {
      if (db != null) {
        db.close();
      }
    } catch (SQLException e) {
      throw new TidemillException(ErrorCode.INTERNAL, "A database could not be closed.", e);
    }
  }
}
