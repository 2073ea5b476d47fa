package io.tidemill.host;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How a function's process is started: as Lambda's runtime java17 does. */
final class ProcessLine {
  private static final String BOOTSTRAP =
      "com.amazonaws.services.lambda.runtime.api.client.AWSLambda";

  /** One class of each library that the bootstrap needs, and of nothing else. */
  private static final List<String> BOOTSTRAP_LIBRARIES =
      List.of(
          BOOTSTRAP,
          "com.amazonaws.services.lambda.runtime.RequestHandler",
          "com.amazonaws.services.lambda.runtime.serialization.PojoSerializer",
          "software.amazon.awssdk.utilslite.SdkInternalThreadLocal");

  /** Ctrl-C goes to all processes of a terminal, and these are ended by the host alone. */
  private static final List<String> UNINTERRUPTED =
      List.of("sh", "-c", "trap '' INT; exec \"$@\"", "sh");

  private static final int PAGE_BYTES = 4096;

  private ProcessLine() {}

  /**
   * Starts a process that prints to {@code log} in a directory of its own.
   *
   * @param runtimeApi host and port of what it asks for invocations
   * @param snapshot what it starts from, or leaves for others to start from
   */
  static Process start(
      FunctionSpec spec,
      HostSettings settings,
      Path taskRoot,
      Path own,
      String runtimeApi,
      Snapshot.Role snapshot)
      throws IOException {
    Files.createDirectories(own.resolve("tmp"));
    ProcessBuilder line =
        new ProcessBuilder(command(spec, settings, taskRoot, snapshot))
            .redirectErrorStream(true)
            .redirectOutput(own.resolve("log").toFile())
            .directory(settings.workingDirectory().orElse(taskRoot).toFile());
    line.environment().clear();
    line.environment().putAll(environment(spec, settings, taskRoot, own, runtimeApi, snapshot));
    return line.start();
  }

  private static List<String> command(
      FunctionSpec spec, HostSettings settings, Path taskRoot, Snapshot.Role snapshot) {
    long kilobytes = spec.memoryMegabytes() * 1024L;
    List<String> command = new ArrayList<>(UNINTERRUPTED);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:MaxHeapSize=" + kilobytes * 85 / 100 + "k");
    command.add("-XX:+UseSerialGC");
    command.add("-XX:+TieredCompilation");
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-Xshare:auto");
    command.add(RuntimeLibrary.option(settings.directory()));
    command.addAll(snapshot.options());
    command.add("--add-opens=java.base/java.io=ALL-UNNAMED");
    command.add("-Dorg.crac.Core.Compat=com.amazonaws.services.lambda.crac");
    command.add("-Djava.net.preferIPv4Stack=true");
    command.add("-cp");
    command.add(bootstrapPath() + packagePath(settings, taskRoot, snapshot));
    command.add(BOOTSTRAP);
    command.add(spec.handler());
    return command;
  }

  /** The bootstrap finds the package only where it runs; anywhere else it has to be told. */
  private static String packagePath(HostSettings settings, Path taskRoot, Snapshot.Role snapshot) {
    if (snapshot.classes().isEmpty() && settings.workingDirectory().isEmpty()) {
      return "";
    }
    return File.pathSeparator
        + snapshot.classes().orElse(taskRoot)
        + File.pathSeparator
        + taskRoot.resolve("lib")
        + "/*";
  }

  private static String bootstrapPath() {
    List<String> jars = new ArrayList<>();
    for (String name : BOOTSTRAP_LIBRARIES) {
      try {
        jars.add(
            Path.of(type(name).getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString());
      } catch (URISyntaxException e) {
        throw incomplete(name, e);
      }
    }
    return String.join(File.pathSeparator, jars);
  }

  /** What a process runs. */
  static Class<?> bootstrapClass() {
    return type(BOOTSTRAP);
  }

  private static Class<?> type(String name) {
    try {
      return Class.forName(name, false, ProcessLine.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw incomplete(name, e);
    }
  }

  private static TidemillException incomplete(String name, Exception cause) {
    return new TidemillException(
            ErrorCode.INTERNAL, "The runtime of function processes is incomplete.", cause)
        .with("class", name);
  }

  /** Lambda's variables, and what the function has of its own. */
  private static Map<String, String> environment(
      FunctionSpec spec,
      HostSettings settings,
      Path taskRoot,
      Path own,
      String runtimeApi,
      Snapshot.Role snapshot) {
    Map<String, String> variables = new HashMap<>();
    for (String inherited : List.of("PATH", "JAVA_HOME", "LD_LIBRARY_PATH")) {
      String value = System.getenv(inherited);
      if (value != null) {
        variables.put(inherited, value);
      }
    }
    variables.put("LANG", "en_US.UTF-8");
    variables.put("LC_ALL", "C.UTF-8"); // Few machines have Lambda's locale.
    variables.put("TZ", ":UTC");
    variables.put("AWS_REGION", settings.region());
    variables.put("AWS_DEFAULT_REGION", settings.region());
    variables.put("AWS_ACCESS_KEY_ID", "local");
    variables.put("AWS_SECRET_ACCESS_KEY", "local");
    variables.put("AWS_EXECUTION_ENV", "AWS_Lambda_java17");
    variables.put("AWS_LAMBDA_FUNCTION_NAME", spec.name());
    variables.put("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST");
    variables.put("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", Integer.toString(spec.memoryMegabytes()));
    variables.put("AWS_LAMBDA_LOG_GROUP_NAME", "/aws/lambda/" + spec.name());
    variables.put("AWS_LAMBDA_LOG_STREAM_NAME", own.getFileName().toString());
    variables.put("AWS_LAMBDA_INITIALIZATION_TYPE", snapshot.initialization());
    variables.putAll(spec.environment());
    variables.put("AWS_LAMBDA_RUNTIME_API", runtimeApi);
    variables.put("_HANDLER", spec.handler());
    variables.put("LAMBDA_TASK_ROOT", taskRoot.toString());
    variables.put("LAMBDA_RUNTIME_DIR", own.toString());
    // In Lambda each instance has a /tmp of its own.
    String temporary = own.resolve("tmp").toAbsolutePath().toString();
    variables.put("TMPDIR", temporary);
    variables.merge(
        "JAVA_TOOL_OPTIONS",
        "-Djava.io.tmpdir=" + temporary,
        (given, added) -> given + " " + added);
    return variables;
  }

  /** Memory a process holds; 0 where the system does not say. */
  static long residentBytes(long pid) {
    Path statistics = Path.of("/proc", Long.toString(pid), "statm");
    try {
      String[] pages = Files.readString(statistics).trim().split(" ", -1);
      return Long.parseLong(pages[1]) * PAGE_BYTES;
    } catch (IOException e) {
      return 0;
    }
  }

  static String arn(String region, String function) {
    return String.format(
        Locale.ROOT, "arn:aws:lambda:%s:000000000000:function:%s", region, function);
  }
}
