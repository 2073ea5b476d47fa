package io.tidemill.host;

import com.sun.net.httpserver.HttpServer;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Lambda on this machine: takes invocations from AWS SDKs at {@link #endpoint} and runs them in
 * processes that were started from the functions' packages with Lambda's own Java runtime client.
 * Thread-safe.
 */
public final class LambdaHost implements AutoCloseable {
  static {
    // Without it the JDK's server leaves 40 ms between the headers and the body of a response.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private static final int TIMER_THREADS = 4;

  private final HostSettings settings;
  private final Watchdog watchdog = new Watchdog();
  private final ScheduledThreadPoolExecutor timer;
  private final ExecutorService threads;
  private final Deployments deployments;
  private final Events events;
  private final HttpServer server;
  private int deployed;

  /**
   * An asynchronous invocation that was given up.
   *
   * @param error what its last attempt answered, as JSON
   */
  public record FailedEvent(String function, byte[] payload, byte[] error) {}

  private LambdaHost(HostSettings settings) throws IOException {
    this.settings = settings;
    this.timer = new ScheduledThreadPoolExecutor(TIMER_THREADS, Threads.named("lambda-timer"));
    timer.setRemoveOnCancelPolicy(true);
    this.threads = Executors.newCachedThreadPool(Threads.named("lambda-invoke"));
    this.deployments = new Deployments(settings.region());
    this.events = new Events(settings, timer);
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(InvokeApi.ROOT, new InvokeApi(deployments, settings, events)::handle);
    server.start();
  }

  /** Starts a host without functions. */
  public static LambdaHost start(HostSettings settings) {
    try {
      RuntimeLibrary.unpack(settings.directory());
      return new LambdaHost(settings);
    } catch (IOException e) {
      throw new TidemillException(
          ErrorCode.INTERNAL, "The host for functions could not be started.", e);
    }
  }

  /** Where clients of Lambda find it. */
  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** Unpacks a function's package and takes invocations for it; replaces one of the same name. */
  public void deploy(FunctionSpec spec) {
    int number;
    synchronized (this) {
      number = deployed++;
    }
    deployments.put(
        new Function(
            spec,
            settings,
            settings.directory().resolve(spec.name() + "-" + number),
            timer,
            watchdog));
  }

  /** What a function has used since it was deployed. */
  public Tally tally(String function) {
    return function(function).tally();
  }

  /** Instances of a function that are at work. */
  public int busy(String function) {
    return function(function).busy();
  }

  /** Ends a function's idle instances, so that the next invocations start cold. */
  public void recycle(String function) {
    function(function).recycle();
  }

  /** Asynchronous invocations that were given up, oldest first. */
  public List<FailedEvent> failedEvents() {
    return events.failed();
  }

  /** What all instances that ever ran here printed. */
  public String logs() {
    try (Stream<Path> files = Files.walk(settings.directory(), 3)) {
      return files
          .filter(f -> f.endsWith("log"))
          .sorted()
          .map(LambdaHost::text)
          .collect(Collectors.joining());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Function function(String name) {
    return deployments
        .find(name, Optional.empty())
        .orElseThrow(
            () ->
                new TidemillException(ErrorCode.UNKNOWN_NAME, "No such function is deployed.")
                    .with("function", name))
        .function();
  }

  @Override
  public void close() {
    server.stop(0);
    timer.shutdownNow();
    deployments.close();
    threads.shutdownNow();
    watchdog.close();
    try (Stream<Path> paths = Files.walk(settings.directory())) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new TidemillException(
              ErrorCode.NOT_WRITABLE, "The host's directory could not be removed.", e)
          .with("directory", settings.directory());
    }
  }
}
