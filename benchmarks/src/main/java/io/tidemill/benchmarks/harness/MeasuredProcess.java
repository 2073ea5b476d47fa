package io.tidemill.benchmarks.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs a command and measures it from outside: time, lines of standard output with their times, and
 * the peak of its resident memory, which Linux keeps per process. Standard error goes to a file.
 */
public final class MeasuredProcess {
  private static final long SAMPLE_MILLIS = 50;
  private static final long SECONDS_MAX = 1_800;
  private static final String PEAK_RESIDENT = "VmHWM:";

  private final List<String> command;
  private final Map<String, String> environment;
  private final Path directory;

  public MeasuredProcess(List<String> command, Map<String, String> environment, Path directory) {
    this.command = List.copyOf(command);
    this.environment = Map.copyOf(environment);
    this.directory = directory;
  }

  /**
   * Runs the command to its end.
   *
   * @param errors file for its standard error
   * @throws IOException if it cannot be started, or does not end within half an hour
   */
  public ProcessRun run(Path errors) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectError(errors.toFile());
    builder.environment().putAll(environment);
    ScheduledExecutorService sampler = Executors.newSingleThreadScheduledExecutor();
    long start = System.nanoTime();
    Process process = builder.start();
    try {
      AtomicLong peak = new AtomicLong();
      Path status = Path.of("/proc", Long.toString(process.pid()), "status");
      var sampling =
          sampler.scheduleAtFixedRate(
              () -> peak.accumulateAndGet(peakResidentBytes(status), Math::max),
              0,
              SAMPLE_MILLIS,
              TimeUnit.MILLISECONDS);
      var deadline = sampler.schedule(process::destroyForcibly, SECONDS_MAX, TimeUnit.SECONDS);
      List<TimedLine> lines = read(process, start);
      int exitCode = process.waitFor();
      long nanos = System.nanoTime() - start;
      sampling.cancel(false);
      if (!deadline.cancel(false)) {
        throw new IOException("A measured process did not end in time: " + command.get(0));
      }
      return new ProcessRun(exitCode, nanos, peak.get(), lines);
    } finally {
      process.destroyForcibly();
      sampler.shutdownNow();
    }
  }

  private static List<TimedLine> read(Process process, long start) throws IOException {
    List<TimedLine> lines = new ArrayList<>();
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(new TimedLine(System.nanoTime() - start, line));
      }
    }
    return lines;
  }

  /** The figure that Linux keeps; 0 once the process is gone. */
  private static long peakResidentBytes(Path status) {
    try {
      return Files.readAllLines(status).stream()
          .filter(line -> line.startsWith(PEAK_RESIDENT))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1_024)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0; // The process ended between two samples.
    }
  }
}
