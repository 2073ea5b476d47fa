package io.tidemill.golden;

import java.util.List;

/** A query that takes its input step by step. */
interface Steps extends AutoCloseable {

  /**
   * Gives the query more input and waits until it has nothing to do.
   *
   * @param input values of each row, separated by commas
   * @return the batches that ran, in their order
   */
  List<Batch> step(List<String> input) throws Exception;

  @Override
  void close() throws Exception;
}
