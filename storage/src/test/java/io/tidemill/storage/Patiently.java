package io.tidemill.storage;

import io.tidemill.protocol.error.Category;
import io.tidemill.protocol.error.TidemillException;
import java.util.function.Supplier;

/** Repeats a call while storage does not answer, as a caller would. */
public final class Patiently {
  private static final int TRIES_MAX = 1000;

  private Patiently() {}

  public static <T> T call(Supplier<T> call) {
    for (int tried = 1; ; tried++) {
      try {
        return call.get();
      } catch (TidemillException e) {
        if (e.category() != Category.UNAVAILABLE || tried == TRIES_MAX) {
          throw e;
        }
      }
    }
  }

  public static void run(Runnable call) {
    call(
        () -> {
          call.run();
          return true;
        });
  }
}
