package io.tidemill.connectors.kafka;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Sql;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDataChunkWriter;
import org.duckdb.DuckDBFunctions;
import org.duckdb.DuckDBTableFunction;
import org.duckdb.DuckDBTableFunctionBindInfo;
import org.duckdb.DuckDBTableFunctionCallInfo;
import org.duckdb.DuckDBTableFunctionInitInfo;

/**
 * A DuckDB table function that gives the records of a feed to the query that calls it, piece by
 * piece. This is several times faster than appending them to a table row by row, and they take no
 * room. Registered once per database; each {@link #open} is for one scan.
 */
final class RecordFunction implements DuckDBTableFunction<Object, Object, Object> {
  /** Rows of a DuckDB vector. */
  private static final int PIECE = 2_048;

  private static final AtomicLong NAMES = new AtomicLong();

  private final String name = "tidemill_kafka_" + NAMES.incrementAndGet();
  private final RecordFeed feed;
  private List<RecordColumn> columns = List.of();
  private boolean ready;
  private Optional<TidemillException> failure = Optional.empty();

  private RecordFunction(RecordFeed feed) {
    this.feed = feed;
  }

  static RecordFunction register(DuckDBConnection db, RecordFeed feed) throws SQLException {
    RecordFunction function = new RecordFunction(feed);
    try (var builder = DuckDBFunctions.tableFunction()) {
      var unused = builder.withName(function.name).withFunction(function).register(db);
    }
    return function;
  }

  /** Lets the next query scan the feed once, with these columns. */
  void open(List<RecordColumn> wanted) {
    columns = wanted;
    failure = Optional.empty();
    ready = true;
  }

  void close() {
    ready = false;
  }

  /** What to put after FROM. */
  String relation() {
    return columns.stream()
        .map(c -> c.sql() + " AS " + Sql.name(c.column()))
        .collect(Collectors.joining(", ", "(SELECT ", " FROM " + name + "())"));
  }

  /** Why the last scan failed; DuckDB tells only the text. */
  Optional<TidemillException> failure() {
    return failure;
  }

  @Override
  public Object bind(DuckDBTableFunctionBindInfo info) {
    for (RecordColumn column : columns) {
      column.carriers().forEach(c -> info.addResultColumn(c.name(), c.type()));
    }
    return this;
  }

  @Override
  public Object init(DuckDBTableFunctionInitInfo info) {
    if (!ready) {
      throw new TidemillException(
          ErrorCode.FORBIDDEN, "The rows of a Kafka source can be read only once, by its engine.");
    }
    ready = false;
    return this;
  }

  @Override
  public long apply(DuckDBTableFunctionCallInfo info, DuckDBDataChunkWriter chunk) {
    try {
      List<ConsumerRecord<byte[], byte[]>> piece = feed.next(PIECE);
      if (!piece.isEmpty()) {
        int vector = 0;
        for (RecordColumn column : columns) {
          column.fill(piece, chunk, vector);
          vector += column.carriers().size();
        }
      }
      return piece.size();
    } catch (TidemillException e) {
      failure = Optional.of(e);
      throw e;
    }
  }
}
