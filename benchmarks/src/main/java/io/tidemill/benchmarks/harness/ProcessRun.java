package io.tidemill.benchmarks.harness;

import java.util.List;

/**
 * A process that ended.
 *
 * @param exitCode its exit code
 * @param nanos time from its start to its end
 * @param peakResidentBytes the most memory it had resident
 * @param lines what it printed on standard output
 */
public record ProcessRun(int exitCode, long nanos, long peakResidentBytes, List<TimedLine> lines) {
  public ProcessRun {
    lines = List.copyOf(lines);
  }
}
