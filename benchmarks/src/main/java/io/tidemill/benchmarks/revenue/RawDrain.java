package io.tidemill.benchmarks.revenue;

import io.tidemill.benchmarks.harness.Java;
import io.tidemill.benchmarks.harness.MeasuredProcess;
import io.tidemill.benchmarks.harness.ProcessRun;
import io.tidemill.benchmarks.harness.Spread;
import io.tidemill.benchmarks.harness.Workbench;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How fast the topic can be read at all, from a cold JVM. */
final class RawDrain {
  private final Workbench bench;
  private final Path directory;

  RawDrain(Workbench bench, Path directory) {
    this.bench = bench;
    this.directory = directory;
  }

  /** Rows per second over so many runs. */
  Spread measure(String topic, long records, int runs) throws IOException, InterruptedException {
    List<String> command =
        Java.command(
            System.getProperty("java.class.path"),
            DrainMain.class.getName(),
            bench.bootstrapServers(),
            topic);
    List<Double> rates = new ArrayList<>();
    for (int run = 1; run <= runs; run++) {
      ProcessRun process =
          new MeasuredProcess(command, Map.of(), directory).run(directory.resolve("drain.log"));
      boolean whole =
          process.exitCode() == 0
              && process.lines().stream().anyMatch(l -> l.text().startsWith(records + " "));
      if (!whole) {
        throw new IOException("The drain did not read every record");
      }
      rates.add(records / (process.nanos() / 1e9));
    }
    return Spread.of(rates);
  }
}
