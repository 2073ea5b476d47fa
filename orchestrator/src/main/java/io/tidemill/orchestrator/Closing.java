package io.tidemill.orchestrator;

import java.util.List;

/** Closes several things even if one of them fails. */
final class Closing {
  private Closing() {}

  /** Throws the first failure, with the others attached. */
  static void all(List<? extends AutoCloseable> things) {
    RuntimeException failure = attempt(null, things);
    if (failure != null) {
      throw failure;
    }
  }

  /** Returns the cause, with failures to close attached. */
  static RuntimeException allBecauseOf(
      RuntimeException cause, List<? extends AutoCloseable> things) {
    return attempt(cause, things);
  }

  private static RuntimeException attempt(
      RuntimeException failure, List<? extends AutoCloseable> things) {
    for (AutoCloseable thing : things) {
      try {
        thing.close();
      } catch (Exception e) {
        if (failure == null) {
          failure = e instanceof RuntimeException r ? r : new IllegalStateException(e);
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    return failure;
  }
}
