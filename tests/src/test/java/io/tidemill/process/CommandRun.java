package io.tidemill.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A command that runs, with the lines it has printed so far on either stream. Thread-safe. */
public final class CommandRun implements AutoCloseable {
  private final Process process;
  private final List<String> lines = new ArrayList<>();
  private boolean ended;

  CommandRun(Process process) {
    this.process = process;
    Thread reader = new Thread(this::read, "output of " + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        add(line);
      }
    } catch (IOException e) {
      // The process was ended while it printed; what it had printed is there.
      return;
    } finally {
      end();
    }
  }

  private synchronized void add(String line) {
    lines.add(line);
    notifyAll();
  }

  private synchronized void end() {
    ended = true;
    notifyAll();
  }

  /** Whether a line tells of a batch that is done. */
  public static boolean isBatch(String line) {
    return line.matches("\\S+ batch \\d+: .*");
  }

  /** What was printed so far. */
  public synchronized List<String> lines() {
    return List.copyOf(lines);
  }

  /** The same as one text. */
  public String output() {
    return String.join("\n", lines());
  }

  public boolean hasEnded() {
    return !process.isAlive();
  }

  /** Waits for a while; whether the process has ended by then. */
  public boolean endsWithin(Duration atMost) throws InterruptedException {
    return process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Waits until a line is printed that is like this, or was.
   *
   * @throws IllegalStateException if the process ends without it, or the time is over
   */
  public synchronized String await(Predicate<String> wanted, Duration atMost)
      throws InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    for (int seen = 0; ; ) {
      for (; seen < lines.size(); seen++) {
        if (wanted.test(lines.get(seen))) {
          return lines.get(seen);
        }
      }
      long millis = (deadline - System.nanoTime()) / 1_000_000;
      if (ended || millis <= 0) {
        throw new IllegalStateException(
            (ended ? "The command ended" : "The command went on") + " without it:\n" + output());
      }
      wait(millis);
    }
  }

  /**
   * Waits for the end.
   *
   * @return the exit code
   * @throws IllegalStateException if the time is over
   */
  public int awaitEnd(Duration atMost) throws InterruptedException {
    if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IllegalStateException("The command does not end:\n" + output());
    }
    awaitLastLine();
    return process.exitValue();
  }

  private synchronized void awaitLastLine() throws InterruptedException {
    while (!ended) {
      wait();
    }
  }

  /** Sends a signal such as {@code TERM}. */
  public void signal(String name) throws IOException, InterruptedException {
    int code =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    if (code != 0) {
      throw new IOException("The signal " + name + " could not be sent: " + code + "\n" + output());
    }
  }

  /** Ends the process with SIGKILL, and returns when it is gone. */
  public void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
    awaitLastLine();
  }

  /** Leaves no process behind. */
  @Override
  public void close() {
    process.destroyForcibly();
  }
}
