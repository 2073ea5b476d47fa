package io.tidemill.chaos;

import io.tidemill.connectors.Connectors;
import io.tidemill.connectors.memory.MemoryStreams;
import io.tidemill.connectors.memory.MemoryTables;
import io.tidemill.function.FunctionSettings;
import io.tidemill.lambda.job.Jobs;
import io.tidemill.lambda.job.LocalJobFolder;
import io.tidemill.lambda.job.References;
import io.tidemill.lambda.platform.EmbeddedMetrics;
import io.tidemill.lambda.platform.FunctionEnvironment;
import io.tidemill.lambda.platform.Platform;
import io.tidemill.local.StandardConnectors;
import io.tidemill.protocol.Ids;
import io.tidemill.storage.Locations;
import io.tidemill.storage.aws.AwsClients;
import io.tidemill.storage.aws.AwsSettings;
import io.tidemill.storage.aws.Retries;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes what the functions' processes work with. Thread-safe. */
final class Processes {
  static final int LEASE_SECONDS = 1;
  private static final int TASK_SECONDS = 60;

  private final Cloud cloud;
  private final Path jobs;
  private final Path scratch;
  private final Map<String, String> variables;
  private final Ids ids;
  private final AtomicInteger started = new AtomicInteger();
  private final PrintStream nowhere =
      new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);

  /**
   * @param jobs folder of jobs
   * @param variables of the jobs
   */
  Processes(Cloud cloud, Path jobs, Path scratch, Map<String, String> variables, Ids ids) {
    this.cloud = cloud;
    this.jobs = jobs;
    this.scratch = scratch;
    this.variables = variables;
    this.ids = ids;
  }

  /** The platform of a fresh process. */
  Platform platform(Life life, long wholeBatchRows) {
    InstantSource clock = InstantSource.system();
    Path own = scratch.resolve("process-" + started.incrementAndGet());
    Locations locations = cloud.locations(life, own.resolve("copies"));
    Connectors connectors =
        StandardConnectors.of(locations, clock, nowhere, new MemoryStreams(), new MemoryTables());
    References references = new References(Map.of());
    AwsClients none = new AwsClients(AwsSettings.of(name -> null));
    return new Platform(
        new FunctionEnvironment(
            Optional.of(jobs.toString()),
            Optional.of("batch"),
            ChaosLambda.CONCURRENCY,
            TASK_SECONDS,
            1,
            LEASE_SECONDS,
            wholeBatchRows,
            ChaosTrial.SHARD_ROWS,
            0),
        new Jobs(new LocalJobFolder(jobs), connectors, variables::get, references),
        references,
        connectors,
        locations,
        own,
        FunctionSettings.STANDARD,
        new EmbeddedMetrics("Chaos", nowhere, clock),
        none,
        new Retries(new SplittableRandom(1), time -> {}, none.calls()),
        clock,
        ids);
  }
}
