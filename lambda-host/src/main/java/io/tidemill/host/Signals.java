package io.tidemill.host;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;

/** Stops and continues processes. */
final class Signals {
  private Signals() {}

  static void stop(long pid) {
    send("STOP", pid);
  }

  static void go(long pid) {
    send("CONT", pid);
  }

  /** Java cannot send these, a shell can; a process that is gone already is no failure. */
  private static void send(String signal, long pid) {
    try {
      new ProcessBuilder("sh", "-c", "kill -" + signal + " " + pid + " 2>/dev/null || true")
          .redirectInput(ProcessBuilder.Redirect.PIPE)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new TidemillException(
              ErrorCode.INTERNAL, "A signal could not be sent to a function's process.", e)
          .with("signal", signal);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
