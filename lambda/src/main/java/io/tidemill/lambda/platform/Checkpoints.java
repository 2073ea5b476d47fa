package io.tidemill.lambda.platform;

/** Opens checkpoints by their locations. Thread-safe. */
@FunctionalInterface
public interface Checkpoints {
  /**
   * Opens one; the caller closes it. A location of a kind nobody knows is {@code INVALID_OPTION}.
   */
  OpenCheckpoint open(String location);
}
