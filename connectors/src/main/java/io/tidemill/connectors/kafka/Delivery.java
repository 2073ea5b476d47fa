package io.tidemill.connectors.kafka;

import java.util.function.Consumer;

/** Sends batches to Kafka. Used by one thread. */
interface Delivery extends AutoCloseable {
  /** The rows of a batch, to be gone through once for each try. */
  interface Rows {
    void forEach(Consumer<StagedRow> row);
  }

  /**
   * Sends a batch and returns when Kafka has it. Errors: {@code SINK_UNAVAILABLE} if Kafka does not
   * answer, {@code NOT_WRITABLE} if it does not take a row, {@code FENCED} if another run sends.
   */
  void send(BatchMarker batch, Rows rows);

  @Override
  void close();
}
