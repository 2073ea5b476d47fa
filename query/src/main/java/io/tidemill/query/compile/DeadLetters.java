package io.tidemill.query.compile;

import io.tidemill.protocol.schema.Schema;

/** The columns of rows that a stream's {@code malformed = 'dead-letter'} writes. */
public final class DeadLetters {
  /**
   * The stream's name; where the record is, in words; the error; the raw key and payload; its
   * headers; when the source says it was written; and when the batch that met it was planned.
   */
  public static final Schema COLUMNS =
      Schema.of(
          "stream", "VARCHAR",
          "position", "VARCHAR",
          "error", "VARCHAR",
          "key", "BLOB",
          "value", "BLOB",
          "headers", "STRUCT(\"key\" VARCHAR, \"value\" BLOB)[]",
          "timestamp", "TIMESTAMP",
          "batch_time", "TIMESTAMP");

  private DeadLetters() {}
}
