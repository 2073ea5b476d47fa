package io.tidemill.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuredProcessTest {
  @TempDir private Path directory;

  @Test
  void linesExitCodeAndPeakMemoryAreTaken() throws IOException, InterruptedException {
    List<String> command = List.of("bash", "-c", "echo $WORD; echo oops >&2; read -t 0.3; exit 3");

    ProcessRun run =
        new MeasuredProcess(command, Map.of("WORD", "hello"), directory)
            .run(directory.resolve("errors"));

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.lines()).extracting(TimedLine::text).containsExactly("hello");
    assertThat(run.lines().get(0).nanos()).isPositive().isLessThan(run.nanos());
    assertThat(run.peakResidentBytes()).isGreaterThan(100_000);
    assertThat(directory.resolve("errors")).hasContent("oops");
  }
}
