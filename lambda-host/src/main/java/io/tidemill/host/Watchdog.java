package io.tidemill.host;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/**
 * Ends the function processes if this process is killed: stopped ones would stay for ever. A shell
 * that reads which processes there are and, once nothing more can come, kills them. Thread-safe.
 */
final class Watchdog implements AutoCloseable {
  private static final String SCRIPT =
      """
      trap '' INT TERM HUP
      all=" "
      while read -r sign pid; do
        case $sign in
          +) all="$all$pid " ;;
          -) all="${all%% $pid *} ${all#* $pid }" ;;
        esac
      done
      for pid in $all; do kill -KILL "$pid" 2>/dev/null; done
      """;

  private final Process shell;
  private final Writer input;

  Watchdog() {
    try {
      shell =
          new ProcessBuilder("sh", "-c", SCRIPT)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException e) {
      throw failed(e);
    }
    input = shell.outputWriter(StandardCharsets.US_ASCII);
  }

  void started(long pid) {
    say("+ " + pid);
  }

  void ended(long pid) {
    say("- " + pid);
  }

  private synchronized void say(String line) {
    try {
      input.write(line + "\n");
      input.flush();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private static TidemillException failed(IOException e) {
    return new TidemillException(
        ErrorCode.INTERNAL, "The shell that watches over function processes is gone.", e);
  }

  @Override
  public synchronized void close() {
    try {
      input.close();
    } catch (IOException e) {
      throw failed(e);
    }
  }
}
