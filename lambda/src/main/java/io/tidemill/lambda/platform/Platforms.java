package io.tidemill.lambda.platform;

import io.tidemill.connectors.Connectors;
import io.tidemill.connectors.memory.MemoryStreams;
import io.tidemill.connectors.memory.MemoryTables;
import io.tidemill.function.FunctionSettings;
import io.tidemill.lambda.job.JobFolder;
import io.tidemill.lambda.job.Jobs;
import io.tidemill.lambda.job.LocalJobFolder;
import io.tidemill.lambda.job.References;
import io.tidemill.lambda.job.StoredJobFolder;
import io.tidemill.lambda.job.StoredSecrets;
import io.tidemill.local.StandardConnectors;
import io.tidemill.local.StandardLocations;
import io.tidemill.protocol.Ids;
import io.tidemill.state.StateSettings;
import io.tidemill.storage.Locations;
import io.tidemill.storage.aws.AwsClients;
import io.tidemill.storage.aws.AwsSettings;
import io.tidemill.storage.aws.Pause;
import io.tidemill.storage.aws.Retries;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Puts together what a function works with, from Lambda's environment. */
public final class Platforms {
  /** Share of the function's memory for DuckDB, in percent; the rest is for Java and Kafka. */
  private static final int DUCKDB_MEMORY_PERCENT = 50;

  private Platforms() {}

  /**
   * The platform of this process.
   *
   * @param variables all environment variables, those of Lambda among them
   * @param temporary Lambda's {@code /tmp}
   */
  public static Platform of(
      Map<String, String> variables,
      Path temporary,
      InstantSource clock,
      Ids ids,
      RandomGenerator random) {
    FunctionEnvironment environment = FunctionEnvironment.of(variables);
    Path scratch = temporary.resolve("tidemill-" + ids.next());
    AwsClients clients = new AwsClients(AwsSettings.of(variables::get));
    Locations locations =
        StandardLocations.of(clients, scratch.resolve("copies"), clock, ids).locations();
    Connectors connectors =
        StandardConnectors.of(
            locations, clock, System.out, new MemoryStreams(), new MemoryTables());
    Retries retries = new Retries(random, Pause.waiting(), clients.calls());
    References references = new References(new StoredSecrets(clients, retries).schemes());
    return new Platform(
        environment,
        new Jobs(folder(environment, variables, locations), connectors, variables::get, references),
        references,
        connectors,
        locations,
        scratch,
        new FunctionSettings(duckMemory(variables), StateSettings.DEFAULT),
        new EmbeddedMetrics(
            variables.getOrDefault(FunctionEnvironment.METRICS_NAMESPACE, "Tidemill"),
            System.out,
            clock),
        clients,
        retries,
        clock,
        ids);
  }

  private static JobFolder folder(
      FunctionEnvironment environment, Map<String, String> variables, Locations locations) {
    String location =
        environment
            .jobs()
            .orElseGet(() -> Path.of(variables.getOrDefault("LAMBDA_TASK_ROOT", ""), "jobs") + "");
    return Locations.scheme(location).isPresent()
        ? new StoredJobFolder(locations.blob(location))
        : new LocalJobFolder(Locations.path(location));
  }

  private static long duckMemory(Map<String, String> variables) {
    long megabytes =
        Long.parseLong(variables.getOrDefault("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "1024"));
    return megabytes * 1024 * 1024 / 100 * DUCKDB_MEMORY_PERCENT;
  }
}
