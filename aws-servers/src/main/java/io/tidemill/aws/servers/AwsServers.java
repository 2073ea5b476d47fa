package io.tidemill.aws.servers;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * DynamoDB's and S3's interfaces on free ports of this machine, each in a process of its own. They
 * end when this is closed, and with this process however that ends. Thread-safe.
 */
public final class AwsServers implements AutoCloseable {
  /** The key id that both servers take. */
  public static final String KEY_ID = "tidemill";

  /** The secret that goes with it; it opens nothing but these servers. */
  public static final String SECRET = "tidemill-local-secret";

  public static final String REGION = "us-east-1";

  private final ServerProcess dynamo;
  private final ServerProcess s3;

  private AwsServers(ServerProcess dynamo, ServerProcess s3) {
    this.dynamo = dynamo;
    this.s3 = s3;
  }

  private static final class Shared {
    private static final AwsServers SERVERS = start(Optional.empty());
  }

  /** The servers that all tests of a process share, with their data in memory; never closed. */
  public static AwsServers shared() {
    return Shared.SERVERS;
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
      return new AwsServers(
          dynamo,
          ServerProcess.start("s3proxy", java(installed, directory), log(directory, "s3proxy")));
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
    return dynamo.endpoint();
  }

  public URI s3() {
    return s3.endpoint();
  }

  /** Environment variables with which any AWS client talks to these servers. */
  public Map<String, String> environment() {
    return Map.of(
        "AWS_ENDPOINT_URL_DYNAMODB", dynamo().toString(),
        "AWS_ENDPOINT_URL_S3", s3().toString(),
        "AWS_REGION", REGION,
        "AWS_ACCESS_KEY_ID", KEY_ID,
        "AWS_SECRET_ACCESS_KEY", SECRET);
  }

  @Override
  public void close() {
    s3.close();
    dynamo.close();
  }
}
