package io.tidemill.connectors.kafka;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBDataChunkWriter;
import org.duckdb.DuckDBWritableVector;

/** A coordinate of a record: fixed in size, never null. */
enum PlainColumn implements RecordColumn {
  TOPIC("topic", "VARCHAR", DuckDBColumnType.VARCHAR) {
    @Override
    void fill(List<ConsumerRecord<byte[], byte[]>> records, DuckDBWritableVector vector) {
      // A piece of a feed is of one partition.
      byte[][] topics = new byte[records.size()][];
      Arrays.fill(topics, records.get(0).topic().getBytes(StandardCharsets.UTF_8));
      vector.setStringUtf8Batch(0, topics);
    }
  },
  PARTITION("partition", "INTEGER", DuckDBColumnType.INTEGER) {
    @Override
    void fill(List<ConsumerRecord<byte[], byte[]>> records, DuckDBWritableVector vector) {
      int partition = records.get(0).partition();
      for (int i = 0; i < records.size(); i++) {
        vector.setInt(i, partition);
      }
    }
  },
  OFFSET("offset", "BIGINT", DuckDBColumnType.BIGINT) {
    @Override
    void fill(List<ConsumerRecord<byte[], byte[]>> records, DuckDBWritableVector vector) {
      for (int i = 0; i < records.size(); i++) {
        vector.setLong(i, records.get(i).offset());
      }
    }
  },
  TIMESTAMP("timestamp", "TIMESTAMP", DuckDBColumnType.BIGINT) {
    @Override
    void fill(List<ConsumerRecord<byte[], byte[]>> records, DuckDBWritableVector vector) {
      for (int i = 0; i < records.size(); i++) {
        vector.setLong(i, micros(records.get(i)));
      }
    }

    @Override
    public String sql() {
      return "make_timestamp(\"timestamp\")";
    }
  },
  TIMESTAMP_TYPE("timestampType", "INTEGER", DuckDBColumnType.INTEGER) {
    @Override
    void fill(List<ConsumerRecord<byte[], byte[]>> records, DuckDBWritableVector vector) {
      for (int i = 0; i < records.size(); i++) {
        vector.setInt(i, records.get(i).timestampType().id);
      }
    }
  };

  private static final long TIMESTAMP_MILLIS_MAX = Long.MAX_VALUE / 1_000;

  private final String column;
  private final String type;
  private final DuckDBColumnType carrier;

  PlainColumn(String column, String type, DuckDBColumnType carrier) {
    this.column = column;
    this.type = type;
    this.carrier = carrier;
  }

  abstract void fill(List<ConsumerRecord<byte[], byte[]>> records, DuckDBWritableVector vector);

  private static long micros(ConsumerRecord<byte[], byte[]> record) {
    long millis = record.timestamp();
    if (Math.abs(millis) >= TIMESTAMP_MILLIS_MAX) {
      throw new TidemillException(
              ErrorCode.MALFORMED_RECORD,
              "A Kafka record's timestamp is too large for a TIMESTAMP.")
          .with("topic", record.topic())
          .with("partition", record.partition())
          .with("offset", record.offset())
          .with("timestamp", millis);
    }
    return millis * 1_000;
  }

  @Override
  public String column() {
    return column;
  }

  @Override
  public String type() {
    return type;
  }

  @Override
  public List<Carrier> carriers() {
    return List.of(new Carrier(column, carrier));
  }

  @Override
  public String sql() {
    return '"' + column + '"';
  }

  @Override
  public void fill(
      List<ConsumerRecord<byte[], byte[]>> records, DuckDBDataChunkWriter chunk, int first) {
    fill(records, chunk.vector(first));
  }
}
