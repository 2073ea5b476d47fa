package io.tidemill.host;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * What is left of SnapStart without Lambda's virtual machines. There, publishing a version starts
 * it, runs its hooks and keeps the memory. Here, the classes that it loaded are kept, in an archive
 * of Java's, and instances start from it: they read no class files, and still run all code anew.
 */
final class Snapshot implements RuntimeApi.Calls {
  private static final String ARCHIVE = "classes.jsa";
  private static final String CLASSES = "classes.jar";

  /** Ends with success, or with why there is none. */
  private final CompletableFuture<Void> asked = new CompletableFuture<>();

  private Snapshot() {}

  /**
   * How a process takes part.
   *
   * @param options of Java
   * @param classes the package's own classes as a jar: Java's archives are of jars only
   * @param initialization as the function is told
   */
  record Role(List<String> options, Optional<Path> classes, String initialization) {
    static final Role NONE = new Role(List.of(), Optional.empty(), "on-demand");

    /** Leaves its classes when it ends; says nothing of those that cannot be kept. */
    static Role taking(Path archive, Path classes) {
      return new Role(
          List.of("-Xlog:disable", "-XX:ArchiveClassesAtExit=" + archive),
          Optional.of(classes),
          "snap-start");
    }

    static Role startingFrom(Path archive, Path classes) {
      return new Role(
          List.of("-XX:SharedArchiveFile=" + archive), Optional.of(classes), "on-demand");
    }
  }

  /**
   * Starts a function until it asks for its first invocation, and ends it.
   *
   * @param own a directory for the process and the archive
   * @return what its instances start from
   */
  static Role take(
      FunctionSpec spec, HostSettings settings, Path taskRoot, Path own, Watchdog watchdog) {
    Path archive = own.resolve(ARCHIVE);
    Path classes = own.resolve(CLASSES);
    Snapshot snapshot = new Snapshot();
    try (RuntimeApi api = new RuntimeApi(snapshot)) {
      Files.createDirectories(own);
      pack(taskRoot, classes);
      Process process =
          ProcessLine.start(
              spec, settings, taskRoot, own, api.address(), Role.taking(archive, classes));
      watchdog.started(process.pid());
      var unused = process.onExit().thenAccept(snapshot::ended);
      try {
        snapshot.asked.get(settings.initTimeout().toMillis(), TimeUnit.MILLISECONDS);
        process.destroy();
        process.onExit().get(settings.initTimeout().toMillis(), TimeUnit.MILLISECONDS);
      } finally {
        process.destroyForcibly();
        watchdog.ended(process.pid());
      }
      return Files.exists(archive) ? Role.startingFrom(archive, classes) : Role.NONE;
    } catch (IOException | ExecutionException | TimeoutException e) {
      throw new TidemillException(
              ErrorCode.INVALID_OPTION,
              "The function does not start, so there is no snapshot of it.",
              e)
          .with("function", spec.name());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TidemillException(ErrorCode.INTERNAL, "Interrupted before a snapshot was there.", e)
          .with("function", spec.name());
    }
  }

  /** Makes a jar of all but the libraries. */
  private static void pack(Path taskRoot, Path jar) throws IOException {
    try (Stream<Path> files = Files.walk(taskRoot);
        ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        if (!file.startsWith(taskRoot.resolve("lib"))) {
          zip.putNextEntry(new ZipEntry(taskRoot.relativize(file).toString()));
          Files.copy(file, zip);
        }
      }
    }
  }

  private void ended(Process process) {
    asked.completeExceptionally(new IOException("it ended with " + process.exitValue()));
  }

  /** There is none: the process is to end while it waits. */
  @Override
  public Invocation next() throws InterruptedException {
    asked.complete(null);
    new CountDownLatch(1).await();
    throw new IllegalStateException("nobody counts");
  }

  @Override
  public long deadlineMillis() {
    throw new IllegalStateException("there is no invocation");
  }

  @Override
  public void answered(String requestId, Reply reply) {
    throw new IllegalStateException("there is no invocation");
  }

  @Override
  public void initFailed(Reply reply) {
    asked.completeExceptionally(
        new IOException(new String(reply.payload(), StandardCharsets.UTF_8)));
  }
}
