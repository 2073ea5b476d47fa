package io.tidemill.lambda.handler;

import io.tidemill.lambda.platform.Platform;
import io.tidemill.lambda.platform.Platforms;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.UUID;

/** The real clock, ids and environment. */
final class ThisProcess {
  private ThisProcess() {}

  static Platform platform() {
    return Platforms.of(
        System.getenv(),
        Path.of(System.getProperty("java.io.tmpdir")),
        InstantSource.system(),
        () -> UUID.randomUUID().toString());
  }
}
