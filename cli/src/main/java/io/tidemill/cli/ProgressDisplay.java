package io.tidemill.cli;

/** Shows people how a query gets on. Thread-safe. */
interface ProgressDisplay extends AutoCloseable {

  /** A batch is committed. */
  void batch(BatchView batch);

  /**
   * Something else gets on, e.g. a topic is filled.
   *
   * @param what in a few words
   * @param done how much of it is done
   * @param total how much there is to do
   */
  void step(String what, long done, long total);

  /** Something to read, which stays. */
  void say(String text);

  /** Leaves the terminal as it was. */
  @Override
  void close();
}
