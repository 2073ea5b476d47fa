package io.tidemill.state;

/**
 * Keyed state of a query in one of its forms, for one function instance. Tables named {@code
 * _tidemill_state_…} of the instance's database are its own. For one thread.
 */
public interface StateStore extends AutoCloseable {
  /**
   * The state of an operator's shard as it was before a task's batch. Opening an operator again
   * forgets what was changed and not saved.
   *
   * <p>Errors: {@code STATE_LAYOUT_CHANGED} if what is stored has other columns, is spread over
   * buckets differently, or is in the other form; {@code STATE_CORRUPT} if it is missing or not
   * what was written.
   */
  SavedState open(StatePlace place, StateLayout layout);

  /** Drops the tables. */
  @Override
  void close();
}
