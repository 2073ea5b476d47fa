package io.tidemill.api;

/**
 * What {@link DataStreamWriter#foreachBatch} calls with each batch that has rows.
 *
 * @param <T> what a row is
 */
@FunctionalInterface
public interface BatchFunction<T> {
  /**
   * Takes a batch's result. A batch may come again after a crash, with the same id and rows; an
   * exception fails the query, and the batch comes again when it is restarted.
   *
   * @param batch the rows, usable during the call only
   * @param batchId counts from 0
   */
  void call(Dataset<T> batch, long batchId) throws Exception;
}
