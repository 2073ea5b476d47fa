package io.tidemill.aws.servers;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * DynamoDB's and S3's interfaces: servers on free ports of this machine, each in a process of its
 * own, which end when this is closed, and with this process however that ends; or for tests those
 * that somebody else runs. The one place that knows where servers come from. Thread-safe.
 */
public final class AwsServers implements AutoCloseable {
  /** The key id that the servers started here take. */
  static final String KEY_ID = "tidemill";

  /** The secret that goes with it; it opens nothing but these servers. */
  static final String SECRET = "tidemill-local-secret";

  static final String REGION = "us-east-1";

  private static AwsServers shared;

  private final Endpoints endpoints;
  private final String suffix;
  private final List<ServerProcess> processes;

  /**
   * @param suffix of names on servers that outlive this process
   * @param processes to end with this
   */
  private AwsServers(Endpoints endpoints, String suffix, List<ServerProcess> processes) {
    this.endpoints = endpoints;
    this.suffix = suffix;
    this.processes = List.copyOf(processes);
  }

  /**
   * The servers that all tests of a process share; never closed. Those at {@code aws.endpoint} if
   * that system property is set, else those of an {@link EndpointSource} on the class path, else
   * own ones with their data in memory.
   *
   * @throws IllegalStateException if they cannot be had, saying what to do
   */
  public static synchronized AwsServers shared() {
    if (shared == null) {
      shared = found();
    }
    return shared;
  }

  private static AwsServers found() {
    return GivenEndpoints.of(System::getProperty)
        .or(() -> ServiceLoader.load(EndpointSource.class).findFirst().map(EndpointSource::start))
        .map(endpoints -> new AwsServers(endpoints, "-" + thisProcess(), List.of()))
        .orElseGet(() -> start(Optional.empty()));
  }

  /** No other process has it, on this machine or, most probably, on another. */
  private static String thisProcess() {
    ProcessHandle process = ProcessHandle.current();
    long started = process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    return Long.toString(started, 36) + Long.toString(process.pid(), 36);
  }

  /**
   * Starts both and waits until they answer.
   *
   * @param directory where they keep their data; in memory if empty
   */
  public static AwsServers start(Optional<Path> directory) {
    Path installed = installed();
    List<String> node = new ArrayList<>(List.of("node", file(installed, "dynalite/dynalite.js")));
    directory.ifPresent(d -> node.add(d.resolve("dynamo").toString()));
    ServerProcess dynamo = ServerProcess.start("dynalite", node, log(directory, "dynalite"));
    try {
      ServerProcess s3 =
          ServerProcess.start("s3proxy", java(installed, directory), log(directory, "s3proxy"));
      return new AwsServers(
          new Endpoints(dynamo.endpoint(), s3.endpoint(), KEY_ID, SECRET, REGION),
          "",
          List.of(s3, dynamo));
    } catch (RuntimeException e) {
      dynamo.close();
      throw e;
    }
  }

  private static List<String> java(Path installed, Optional<Path> directory) {
    // Ctrl-C goes to all processes of a terminal, and whoever started the servers ends them.
    List<String> command = new ArrayList<>(List.of("sh", "-c", "trap '' INT; exec \"$@\"", "sh"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp"));
    command.add(classPath(installed));
    command.addAll(List.of(S3ProxyMain.class.getName(), KEY_ID, SECRET));
    directory.ifPresent(d -> command.add(d.resolve("s3").toString()));
    return command;
  }

  private static String classPath(Path installed) {
    try {
      String libraries = Files.readString(Path.of(file(installed, "s3proxy-class-path.txt")));
      return own() + File.pathSeparator + libraries.trim();
    } catch (IOException e) {
      throw new IllegalStateException("The class path of S3Proxy cannot be read.", e);
    }
  }

  private static String file(Path installed, String name) {
    Path file = installed.resolve(name);
    if (!Files.exists(file)) {
      throw new IllegalStateException(
          "The local AWS servers are not installed: build the module aws-servers first. Missing: "
              + file);
    }
    return file.toString();
  }

  /** Where the build puts what the servers need: beside this module's classes or jar. */
  private static Path installed() {
    String home = System.getProperty("tidemill.aws.servers");
    return home == null ? own().getParent() : Path.of(home);
  }

  private static Path own() {
    try {
      return Path.of(AwsServers.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("The place of this class is no path.", e);
    }
  }

  private static File log(Optional<Path> directory, String name) {
    try {
      if (directory.isPresent()) {
        return Files.createDirectories(directory.get()).resolve(name + ".log").toFile();
      }
      File log = Files.createTempFile("tidemill-" + name, ".log").toFile();
      log.deleteOnExit();
      return log;
    } catch (IOException e) {
      throw new IllegalStateException("No log file can be made for a server.", e);
    }
  }

  public URI dynamo() {
    return endpoints.dynamo();
  }

  public URI s3() {
    return endpoints.s3();
  }

  public String keyId() {
    return endpoints.keyId();
  }

  public String secret() {
    return endpoints.secret();
  }

  /**
   * A name of a bucket or a table that no other process uses on these servers.
   *
   * @param name unique in this process
   */
  public String named(String name) {
    return name + suffix;
  }

  /** Environment variables with which any AWS client talks to these servers. */
  public Map<String, String> environment() {
    return Map.of(
        "AWS_ENDPOINT_URL_DYNAMODB", dynamo().toString(),
        "AWS_ENDPOINT_URL_S3", s3().toString(),
        "AWS_REGION", endpoints.region(),
        "AWS_ACCESS_KEY_ID", keyId(),
        "AWS_SECRET_ACCESS_KEY", secret());
  }

  @Override
  public void close() {
    processes.forEach(ServerProcess::close);
  }
}
