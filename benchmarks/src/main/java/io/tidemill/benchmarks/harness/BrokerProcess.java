package io.tidemill.benchmarks.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A broker in a process of its own, so that its memory and time are nobody else's. */
public final class BrokerProcess implements AutoCloseable {
  private static final long STOP_SECONDS_MAX = 30;

  private final Process process;
  private final String bootstrapServers;

  private BrokerProcess(Process process, String bootstrapServers) {
    this.process = process;
    this.bootstrapServers = bootstrapServers;
  }

  /** Starts a broker with its data and its log below the directory. */
  public static BrokerProcess start(Path directory) throws IOException {
    Process process =
        new ProcessBuilder(
                Java.command(
                    System.getProperty("java.class.path"),
                    BrokerMain.class.getName(),
                    "-Xmx1g",
                    directory.resolve("kafka").toString()))
            .redirectError(directory.resolve("kafka.log").toFile())
            .start();
    BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
    String bootstrapServers = output.readLine();
    if (bootstrapServers == null) {
      throw new IOException("The broker did not start; see " + directory.resolve("kafka.log"));
    }
    return new BrokerProcess(process, bootstrapServers);
  }

  public String bootstrapServers() {
    return bootstrapServers;
  }

  @Override
  public void close() throws IOException {
    process.outputWriter().close();
    try {
      if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
