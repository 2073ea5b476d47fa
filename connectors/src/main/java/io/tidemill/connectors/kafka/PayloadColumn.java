package io.tidemill.connectors.kafka;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBDataChunkWriter;
import org.duckdb.DuckDBFunctions;

/**
 * Key or value of a record. A table function can give texts but no blobs, and most payloads are
 * texts: they go through as they are, others in hexadecimal with a mark.
 *
 * @param column raw column
 * @param payload the bytes, or null
 */
record PayloadColumn(String column, Function<ConsumerRecord<byte[], byte[]>, byte[]> payload)
    implements RecordColumn {
  static final PayloadColumn KEY = new PayloadColumn("key", ConsumerRecord::key);
  static final PayloadColumn VALUE = new PayloadColumn("value", ConsumerRecord::value);

  @Override
  public String type() {
    return "BLOB";
  }

  @Override
  public List<Carrier> carriers() {
    return List.of(
        new Carrier(column, DuckDBColumnType.VARCHAR),
        new Carrier(column + "_hex", DuckDBColumnType.BOOLEAN));
  }

  @Override
  public String sql() {
    return "CASE WHEN \"%1$s_hex\" THEN unhex(\"%1$s\") ELSE encode(\"%1$s\") END"
        .formatted(column);
  }

  @Override
  public void fill(
      List<ConsumerRecord<byte[], byte[]>> records, DuckDBDataChunkWriter chunk, int first) {
    byte[][] payloads = new byte[records.size()][];
    for (int i = 0; i < payloads.length; i++) {
      payloads[i] = payload.apply(records.get(i));
      chunk.vector(first + 1).setBoolean(i, false);
    }
    try {
      chunk.vector(first).setStringUtf8Batch(0, payloads);
    } catch (DuckDBFunctions.FunctionException e) {
      // At least one is no UTF-8. DuckDB has checked them all, which is faster than doing it here.
      for (int i = 0; i < payloads.length; i++) {
        if (payloads[i] != null && !isUtf8(payloads[i])) {
          payloads[i] = HexFormat.of().formatHex(payloads[i]).getBytes(StandardCharsets.ISO_8859_1);
          chunk.vector(first + 1).setBoolean(i, true);
        }
      }
      chunk.vector(first).setStringUtf8Batch(0, payloads);
    }
  }

  static boolean isUtf8(byte[] bytes) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }
}
