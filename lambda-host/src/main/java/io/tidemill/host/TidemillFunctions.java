package io.tidemill.host;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Tidemill's two functions, which share a package.
 *
 * @param zip the package for this machine's processor
 * @param snapStart as in {@link FunctionSpec}
 */
public record TidemillFunctions(Path zip, boolean snapStart, Size orchestrator, Size batch) {
  public static final String ORCHESTRATOR = "orchestrator";
  public static final String BATCH = "batch";

  /** The alias that callers use, as in the stack. */
  public static final String ALIAS = "live";

  private static final String HANDLER =
      "io.quarkus.amazon.lambda.runtime.QuarkusStreamHandler::handleRequest";

  /** Limits of a function, as in {@link FunctionSpec}. */
  public record Size(int memoryMegabytes, int concurrency, Duration timeout) {}

  /** This machine's processor, as Lambda names it: arm64 or x86_64. */
  public static String architecture() {
    return System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x86_64";
  }

  /**
   * The package for this machine's processor.
   *
   * @param home the project, with its build
   */
  public static Path zipIn(Path home) {
    return home.resolve("lambda-functions/target/tidemill-functions-" + architecture() + ".zip");
  }

  /**
   * Deploys both to a host, on which the orchestrator finds the batch function.
   *
   * @param shared variables of both functions, the jobs among them
   * @param orchestrators variables of the orchestrator alone
   */
  public void deployTo(
      LambdaHost host, Map<String, String> shared, Map<String, String> orchestrators) {
    Map<String, String> all = new TreeMap<>(shared);
    all.put("AWS_ENDPOINT_URL_LAMBDA", host.endpoint().toString());
    all.put("QUARKUS_LAMBDA_HANDLER", "task");
    host.deploy(spec(BATCH, batch, all));
    all.putAll(orchestrators);
    all.put("TIDEMILL_BATCH_FUNCTION", BATCH + ":" + ALIAS);
    all.put("QUARKUS_LAMBDA_HANDLER", "orchestrator");
    host.deploy(spec(ORCHESTRATOR, orchestrator, all));
  }

  private FunctionSpec spec(String name, Size size, Map<String, String> variables) {
    return new FunctionSpec(
        name,
        zip,
        HANDLER,
        size.memoryMegabytes(),
        size.timeout(),
        size.concurrency(),
        snapStart,
        Set.of(ALIAS),
        variables);
  }
}
