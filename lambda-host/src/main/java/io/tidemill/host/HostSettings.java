package io.tidemill.host;

import io.tidemill.protocol.Ids;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * How a host behaves.
 *
 * @param directory where packages are unpacked and instances have their temporary directories;
 *     removed when the host is closed
 * @param region the region functions are told
 * @param freeze whether an instance is stopped between invocations, as Lambda does
 * @param initTimeout how long a process may take until it asks for its first invocation
 * @param asyncRetryDelays waits before a failed asynchronous invocation is tried again; Lambda has
 *     one minute, then two
 * @param faults what goes wrong
 * @param watch hears of all invocations
 * @param workingDirectory where functions run; empty for where their package is, as in Lambda
 */
public record HostSettings(
    Path directory,
    String region,
    boolean freeze,
    Duration initTimeout,
    List<Duration> asyncRetryDelays,
    Faults faults,
    Watch watch,
    Optional<Path> workingDirectory,
    InstantSource clock,
    Ids ids) {
  public HostSettings {
    asyncRetryDelays = List.copyOf(asyncRetryDelays);
  }

  /** Lambda's behaviour with short waits, and nothing goes wrong. */
  public static HostSettings calm(Path directory, InstantSource clock, Ids ids) {
    return new HostSettings(
        directory,
        "us-east-1",
        true,
        Duration.ofSeconds(60),
        List.of(Duration.ofMillis(200), Duration.ofMillis(400)),
        Faults.NONE,
        Watch.NONE,
        Optional.empty(),
        clock,
        ids);
  }

  /** The same with other faults. */
  public HostSettings withFaults(Faults other) {
    return with(other, watch, workingDirectory);
  }

  /** The same with somebody who hears of invocations. */
  public HostSettings withWatch(Watch other) {
    return with(faults, other, workingDirectory);
  }

  /** The same with functions that run elsewhere, so that relative paths in jobs mean that. */
  public HostSettings withWorkingDirectory(Path other) {
    return with(faults, watch, Optional.of(other));
  }

  private HostSettings with(
      Faults otherFaults, Watch otherWatch, Optional<Path> otherWorkingDirectory) {
    return new HostSettings(
        directory,
        region,
        freeze,
        initTimeout,
        asyncRetryDelays,
        otherFaults,
        otherWatch,
        otherWorkingDirectory,
        clock,
        ids);
  }
}
