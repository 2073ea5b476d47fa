package io.tidemill.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Notices new files of a folder within a millisecond or so. */
public final class NewFiles {
  private static final long PAUSE_NANOS = Duration.ofNanos(200_000).toNanos();

  private final Path folder;
  private final Set<Path> before;

  public NewFiles(Path folder) {
    this.folder = folder;
    this.before = new HashSet<>(files());
  }

  /**
   * Waits for a file that was not there when this was made, or for the end.
   *
   * @return whether there is one
   */
  public boolean await(BooleanSupplier ended, Duration atMost) {
    long from = System.nanoTime();
    while (before.containsAll(files())) {
      if (ended.getAsBoolean() || System.nanoTime() - from > atMost.toNanos()) {
        return false;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return true;
  }

  private Set<Path> files() {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.filter(Files::isRegularFile).collect(Collectors.toSet());
    } catch (NoSuchFileException e) {
      return Set.of();
    } catch (UncheckedIOException e) {
      // A folder went away while it was listed: the next look sees what there is.
      return Set.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
