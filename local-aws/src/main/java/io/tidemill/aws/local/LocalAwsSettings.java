package io.tidemill.aws.local;

import io.tidemill.protocol.Ids;
import java.nio.file.Path;
import java.time.InstantSource;

/**
 * How AWS is played on this machine.
 *
 * @param directory where tables and objects are kept
 * @param scratch for what goes away: functions, the job, copies of objects
 * @param functions the package of both functions for this machine's processor
 * @param workingDirectory what relative paths in jobs are relative to
 * @param concurrency most tasks at the same time, each in a process of its own
 */
public record LocalAwsSettings(
    Path directory,
    Path scratch,
    Path functions,
    Path workingDirectory,
    int concurrency,
    InstantSource clock,
    Ids ids) {
  public LocalAwsSettings {
    if (concurrency < 1) {
      throw new IllegalArgumentException("concurrency must be positive: " + concurrency);
    }
  }
}
