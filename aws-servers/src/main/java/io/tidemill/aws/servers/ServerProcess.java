package io.tidemill.aws.servers;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server in a process of its own that says "ready PORT" and ends with its standard input. */
final class ServerProcess implements AutoCloseable {
  private static final String READY = "ready ";
  private static final long END_MILLIS_MAX = 5_000;

  /** For a process that was killed, on a machine that does not come to it. */
  private static final long KILLED_MINUTES_MAX = 2;

  private final Process process;
  private final URI endpoint;

  private ServerProcess(Process process, URI endpoint) {
    this.process = process;
    this.endpoint = endpoint;
  }

  /**
   * Starts a command and waits until its server answers.
   *
   * @param name for error texts
   * @param log what it writes besides
   */
  static ServerProcess start(String name, List<String> command, File log) {
    try {
      Process process = new ProcessBuilder(command).redirectError(log).start();
      BufferedReader output =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      String line = output.readLine();
      while (line != null && !line.startsWith(READY)) {
        line = output.readLine();
      }
      if (line == null) {
        throw new IllegalStateException(
            "The server " + name + " did not start; its errors are in " + log + ".");
      }
      drain(name, output);
      URI endpoint = URI.create("http://127.0.0.1:" + line.substring(READY.length()).trim());
      return new ServerProcess(process, endpoint);
    } catch (IOException e) {
      throw new IllegalStateException(
          "The server " + name + " cannot be started: is " + command.get(0) + " installed?", e);
    }
  }

  /** Reads on, so that a talkative server never waits for a full pipe. */
  private static void drain(String name, BufferedReader output) {
    Thread reader =
        new Thread(
            () -> {
              try {
                while (output.readLine() != null) {
                  // What a server says while it runs is of no use.
                }
              } catch (IOException e) {
                return; // The process is gone, and its output with it.
              }
            },
            name + "-output");
    reader.setDaemon(true);
    reader.start();
  }

  URI endpoint() {
    return endpoint;
  }

  /**
   * Ends the server and returns when its process is gone, and with it what it held: its port, and
   * locks on its files.
   */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      process.waitFor(END_MILLIS_MAX, TimeUnit.MILLISECONDS);
    } catch (IOException e) {
      return; // It no longer reads its input, so it cannot be asked to end.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.destroyForcibly();
      // Being killed takes a while too, and an interrupt must not cut this short.
      process.onExit().orTimeout(KILLED_MINUTES_MAX, TimeUnit.MINUTES).join();
    }
  }
}
