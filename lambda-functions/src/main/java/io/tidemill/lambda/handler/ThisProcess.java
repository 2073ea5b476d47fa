package io.tidemill.lambda.handler;

import io.tidemill.lambda.invoke.LambdaCalls;
import io.tidemill.lambda.platform.Platform;
import io.tidemill.lambda.platform.Platforms;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** The real clock, ids and environment. */
final class ThisProcess {
  private ThisProcess() {}

  /** Made when first asked for. */
  private static final class Once {
    static final Platform PLATFORM = made();
    static final LambdaCalls CALLS = new LambdaCalls(PLATFORM, random());
  }

  static Platform platform() {
    return Once.PLATFORM;
  }

  /** What the orchestrator invokes. */
  static LambdaCalls calls() {
    return Once.CALLS;
  }

  private static Platform made() {
    return Platforms.of(
        System.getenv(),
        temporary(),
        InstantSource.system(),
        () -> UUID.randomUUID().toString(),
        random());
  }

  /**
   * In Lambda it is {@code /tmp}, which belongs to the instance, and Quarkus sets Java's property
   * to that wherever it runs. Elsewhere {@code TMPDIR} says what belongs to the instance.
   */
  private static Path temporary() {
    String given = System.getenv("TMPDIR");
    if (given != null) {
      System.setProperty("java.io.tmpdir", given);
    }
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  /** Instances restored from one snapshot must not draw the same numbers. */
  private static RandomGenerator random() {
    return new SecureRandom();
  }
}
