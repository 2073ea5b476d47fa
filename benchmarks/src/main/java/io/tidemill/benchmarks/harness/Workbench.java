package io.tidemill.benchmarks.harness;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Where comparisons run: the directories, the broker and the repeated, measured runs. */
public final class Workbench {
  private final Path root;
  private final Path directory;
  private final BrokerProcess broker;
  private final PrintStream print;

  /**
   * @param root the project's directory
   * @param directory for everything that is written
   * @param broker the broker that every contender reads from
   * @param print where people read how it goes
   */
  public Workbench(Path root, Path directory, BrokerProcess broker, PrintStream print) {
    this.root = root;
    this.directory = directory;
    this.broker = broker;
    this.print = print;
  }

  public Path root() {
    return root;
  }

  public Path directory() {
    return directory;
  }

  public String bootstrapServers() {
    return broker.bootstrapServers();
  }

  /** Prints a line for people. */
  public void say(String format, Object... values) {
    print.println(String.format(Locale.ROOT, format, values));
  }

  /**
   * Runs a job a number of times with a contender, each in a fresh directory.
   *
   * @throws IOException if a run fails; its standard error is named
   */
  public <J> Measured measure(String scenario, Contender<J> contender, J job, int runs)
      throws IOException, InterruptedException {
    List<EngineRun> measured = new ArrayList<>();
    Path last = directory;
    for (int run = 1; run <= runs; run++) {
      last = Files.createDirectories(runDirectory(scenario, contender.name(), run));
      EngineRun engineRun = EngineRun.of(run(contender, job, last));
      measured.add(engineRun);
      say(
          "  %-16s run %d  %6.2f s  %9.0f rows/s (steady %9.0f)  first commit %5.2f s"
              + "  batch %7.1f ms (own clock %7.1f)  peak %5.0f MB",
          contender.name(),
          run,
          engineRun.seconds(),
          engineRun.rowsPerSecond(),
          engineRun.steadyRowsPerSecond(),
          engineRun.firstCommitSeconds(),
          engineRun.batchMillis(),
          engineRun.reportedBatchMillis(),
          engineRun.peakResidentBytes() / 1e6);
    }
    return new Measured(contender.name(), measured, last.resolve("out"));
  }

  /** Runs a job a number of times like {@link #measure}, looking at the first batch only. */
  public <J> FirstCommits firstCommits(String scenario, Contender<J> contender, J job, int runs)
      throws IOException, InterruptedException {
    List<Double> seconds = new ArrayList<>();
    Path last = directory;
    for (int run = 1; run <= runs; run++) {
      last = Files.createDirectories(runDirectory(scenario, contender.name(), run));
      ProcessRun process = run(contender, job, last);
      long first =
          BatchProgress.of(process.lines()).stream()
              .filter(batch -> batch.inputRows() > 0)
              .mapToLong(BatchProgress::arrivedNanos)
              .findFirst()
              .orElseThrow(() -> new IOException(contender.name() + " committed nothing"));
      seconds.add(first / 1e9);
      say("  %-16s run %d  first commit %5.2f s", contender.name(), run, first / 1e9);
    }
    return new FirstCommits(Spread.of(seconds), last.resolve("out"));
  }

  private <J> ProcessRun run(Contender<J> contender, J job, Path own)
      throws IOException, InterruptedException {
    Path errors = own.resolve("errors.log");
    ProcessRun process =
        new MeasuredProcess(contender.command(job, own), Map.of(), root).run(errors);
    if (process.exitCode() != 0) {
      throw new IOException(
          contender.name() + " ended with exit code " + process.exitCode() + "; see " + errors);
    }
    return process;
  }

  /** Runs a job once and forgets it, so that the first run measured does not read cold files. */
  public <J> void warmUp(Contender<J> contender, J job) throws IOException, InterruptedException {
    Path run = Files.createDirectories(runDirectory("warm-up", contender.name(), 0));
    new MeasuredProcess(contender.command(job, run), Map.of(), root).run(run.resolve("errors.log"));
  }

  private Path runDirectory(String scenario, String contender, int run) {
    return directory.resolve(scenario).resolve(contender + "-" + run);
  }
}
