package io.tidemill.connectors.kafka;

import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBDataChunkWriter;

/**
 * How one raw column gets from records into SQL: as one or more columns of the types that a Java
 * table function can have, and an expression that makes the raw column of them.
 */
interface RecordColumn {
  /** Name of the raw column. */
  String column();

  /** DuckDB type of the raw column. */
  String type();

  /** What the function gives for it. */
  List<Carrier> carriers();

  /** SQL expression over the carriers. */
  String sql();

  /** Writes the carriers of some records to vectors {@code first}, {@code first + 1}, … */
  void fill(List<ConsumerRecord<byte[], byte[]>> records, DuckDBDataChunkWriter chunk, int first);

  /** A column of the function. */
  record Carrier(String name, DuckDBColumnType type) {}
}
