package io.tidemill.host;

/**
 * Hears what functions are given and what comes of it. Called on the host's threads, which wait for
 * it, in the order in which things happen. Thread-safe.
 */
public interface Watch {
  /** Hears nothing. */
  Watch NONE = new Watch() {};

  /**
   * An event on its way to an instance.
   *
   * @param function its name
   * @param trace what clients of AWS send as {@code X-Amzn-Trace-Id} with all they ask during this
   *     invocation
   */
  record Delivery(String function, String trace, byte[] event) {}

  /**
   * What came of a delivery.
   *
   * @param failed whether the function ended with an error, was killed, or took too long
   * @param billedMillis from the delivery to the answer, with the start of the process if there was
   *     one
   */
  record Ending(byte[] answer, boolean failed, long billedMillis) {}

  /** Before the instance gets the event. */
  default void begun(Delivery delivery) {}

  /** Before the caller gets the answer. */
  default void ended(Delivery delivery, Ending ending) {}
}
