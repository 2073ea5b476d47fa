package io.tidemill.orchestrator;

import io.tidemill.checkpoint.OwnerProbe;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Names this process as {@code host/pid/start} and knows whether another process of this host is
 * gone. The start time tells a process from a later one with the same number.
 */
public final class LocalOwner implements OwnerProbe {
  private static final Path LINUX_HOST_NAME = Path.of("/proc/sys/kernel/hostname");

  private final String host;

  private LocalOwner(String host) {
    this.host = host;
  }

  /** Looks up the host's name. */
  public static LocalOwner ofThisHost() {
    try {
      // Asking the resolver can take seconds where it is not set up.
      String name =
          Files.isReadable(LINUX_HOST_NAME)
              ? Files.readString(LINUX_HOST_NAME)
              : InetAddress.getLocalHost().getHostName();
      return new LocalOwner(name.trim().replace('/', '-'));
    } catch (IOException e) {
      throw new TidemillException(
          ErrorCode.STORAGE_UNAVAILABLE, "The name of this host cannot be found out.", e);
    }
  }

  /** This process. */
  public String text() {
    ProcessHandle self = ProcessHandle.current();
    return host + "/" + self.pid() + "/" + started(self).orElse("unknown");
  }

  @Override
  public boolean isGone(String owner) {
    String[] parts = owner.split("/", -1);
    if (parts.length < 3 || !parts[0].equals(host) || !parts[1].matches("\\d{1,18}")) {
      return false;
    }
    Optional<ProcessHandle> process = ProcessHandle.of(Long.parseLong(parts[1]));
    return process.isEmpty()
        || !process.get().isAlive()
        || started(process.get()).map(start -> !start.equals(parts[2])).orElse(false);
  }

  private static Optional<String> started(ProcessHandle process) {
    return process.info().startInstant().map(start -> String.valueOf(start.toEpochMilli()));
  }
}
