package io.tidemill.connectors.kafka;

import io.tidemill.connectors.SourceReader;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.protocol.source.SourceSplit;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.duckdb.DuckDBConnection;

/** Reads records with one consumer that stays connected between tasks. */
final class KafkaReader implements SourceReader {
  private static final Map<String, Object> FETCHING =
      Map.of(
          // Small steps: what waits in the heap for its turn grows old there and costs more than it
          // saves.
          "max.poll.records",
          16_384,
          "max.partition.fetch.bytes",
          4 << 20,
          "fetch.max.bytes",
          64 << 20,
          "receive.buffer.bytes",
          1 << 20,
          // What a task reads is there already: to wait for more would only hold up the next seek.
          "fetch.max.wait.ms",
          5,
          "allow.auto.create.topics",
          false);

  private final SourceSettings settings;
  private final List<RecordColumn> schema;
  private final Payloads keys = new Payloads();
  private final Payloads values = new Payloads();
  private RecordFeed feed;
  private DuckDBConnection database;
  private RecordFunction function;

  /**
   * @param schema all raw columns
   */
  KafkaReader(SourceSettings settings, List<RecordColumn> schema) {
    this.settings = settings;
    this.schema = schema;
  }

  @Override
  public Map<String, Long> read(
      List<SourceSplit> splits,
      DuckDBConnection db,
      String table,
      Set<String> columns,
      Path scratch) {
    Scan scan = scan(splits, db, columns).orElseThrow();
    String names =
        wanted(columns).stream().map(c -> Sql.name(c.column())).collect(Collectors.joining(", "));
    String sql = "INSERT INTO %s (%s) SELECT * FROM %s";
    try (Statement statement = db.createStatement()) {
      statement.execute(sql.formatted(Sql.name(table), names, scan.relation()));
      return scan.counts();
    } catch (SQLException e) {
      throw scan.failure()
          .orElseGet(
              () ->
                  new TidemillException(
                      ErrorCode.INTERNAL, "Kafka records could not be put into a table.", e));
    } finally {
      scan.close();
    }
  }

  @Override
  public Optional<Scan> scan(List<SourceSplit> splits, DuckDBConnection db, Set<String> columns) {
    List<RecordColumn> wanted = wanted(columns);
    connect();
    try {
      if (db != database) {
        function = RecordFunction.register(db, feed);
        database = db;
      }
    } catch (SQLException e) {
      throw new TidemillException(
          ErrorCode.INTERNAL, "DuckDB did not take the function that reads Kafka records.", e);
    }
    boolean changed = keys.want(wanted.contains(PayloadColumn.KEY));
    changed |=
        values.want(
            wanted.stream().anyMatch(c -> c == PayloadColumn.VALUE || c instanceof CsvFormat));
    if (changed) {
      feed.forget();
    }
    feed.open(splits.stream().map(KafkaRange::of).toList());
    function.open(wanted);
    return Optional.of(new FeedScan());
  }

  /** A query may want rows but none of their columns; the cheapest column then stands for all. */
  private List<RecordColumn> wanted(Set<String> columns) {
    Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    names.addAll(columns);
    List<RecordColumn> wanted = schema.stream().filter(c -> names.contains(c.column())).toList();
    return wanted.isEmpty() ? List.of(PlainColumn.PARTITION) : wanted;
  }

  private void connect() {
    if (feed != null) {
      return;
    }
    Map<String, Object> client = new HashMap<>(FETCHING);
    client.putAll(settings.client());
    client.put("auto.offset.reset", "none");
    client.put("enable.auto.commit", false);
    try {
      feed = new RecordFeed(settings, new KafkaConsumer<>(client, keys, values));
    } catch (KafkaException e) {
      throw ClientErrors.unavailable(settings, e);
    }
  }

  @Override
  public void close() {
    if (feed != null) {
      feed.close();
    }
  }

  private final class FeedScan implements Scan {
    @Override
    public String relation() {
      return function.relation();
    }

    @Override
    public Map<String, Long> counts() {
      return feed.losses();
    }

    @Override
    public Optional<TidemillException> failure() {
      return function.failure();
    }

    @Override
    public void close() {
      function.close();
    }
  }
}
