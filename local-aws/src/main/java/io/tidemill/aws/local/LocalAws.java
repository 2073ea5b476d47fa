package io.tidemill.aws.local;

import io.tidemill.host.Faults;
import io.tidemill.host.HostSettings;
import io.tidemill.host.LambdaHost;
import io.tidemill.host.TidemillFunctions;
import io.tidemill.local.StandardLocations;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A stack on this machine: both functions from their package, each invocation in a process as
 * Lambda has it, with S3 and DynamoDB that are counted. Thread-safe.
 */
public final class LocalAws implements AutoCloseable {
  static final String BUCKET = "tidemill";

  /** Where jobs that write to {@code ${OUT}} write. */
  public static final String OUT = "s3://" + BUCKET + "/out";

  /** {@code ${CHECKPOINTS}} in jobs. */
  public static final String CHECKPOINTS = "s3://" + BUCKET + "/checkpoints";

  /** As in the stack. */
  private static final Duration ORCHESTRATOR_TIMEOUT = Duration.ofMinutes(15);

  private static final Duration BATCH_TIMEOUT = Duration.ofMinutes(5);
  private static final Duration INIT_TIMEOUT = Duration.ofSeconds(60);

  private final LocalAwsSettings settings;
  private final Deployed deployed = Deployed.STANDARD;
  private final Ledger ledger;
  private final Triggers triggers;
  private final CountedServers servers;
  private final StandardLocations locations;
  private final LambdaHost host;

  private LocalAws(LocalAwsSettings settings, Batches batches) {
    this.settings = settings;
    this.ledger = new Ledger(deployed, settings.clock(), batches);
    this.servers = CountedServers.start(settings.directory(), ledger::charge);
    this.locations =
        StandardLocations.of(
            servers.clients(),
            settings.scratch().resolve("copies"),
            settings.clock(),
            settings.ids());
    this.triggers = new Triggers(ledger);
    try {
      this.host = LambdaHost.start(hostSettings());
    } catch (RuntimeException e) {
      locations.close();
      servers.close();
      throw e;
    }
    this.triggers.sendTo(host.endpoint());
  }

  /**
   * Starts everything but the functions. Errors: {@code STORAGE_UNAVAILABLE}, {@code
   * INVALID_OPTION} if the functions are not built.
   */
  public static LocalAws start(LocalAwsSettings settings, Batches batches) {
    if (!Files.isRegularFile(settings.functions())) {
      throw new TidemillException(
              ErrorCode.INVALID_OPTION,
              "The package of the functions is missing. Build it: ./mvnw -Dquick -DskipTests -pl"
                  + " lambda-functions -am package")
          .with("package", settings.functions());
    }
    return new LocalAws(settings, batches);
  }

  /** Nothing is tried a second time: what fails here fails for a reason that stays. */
  private HostSettings hostSettings() {
    return new HostSettings(
        settings.scratch().resolve("functions"),
        "us-east-1",
        true,
        INIT_TIMEOUT,
        List.of(),
        Faults.NONE,
        triggers,
        Optional.of(settings.workingDirectory()),
        settings.clock(),
        settings.ids());
  }

  /** Paths and {@code s3://}, without being counted. Closed with this. */
  public StandardLocations locations() {
    return locations;
  }

  /** Variables that the stack gives to jobs. */
  public static Map<String, String> stackVariables() {
    return Map.of("OUT", OUT, "CHECKPOINTS", CHECKPOINTS);
  }

  /**
   * Deploys the functions with one job.
   *
   * @param job file name
   * @param queries how many it has
   * @param variables environment variables for the job
   */
  public void deploy(String job, String text, int queries, Map<String, String> variables) {
    Path jobs = settings.scratch().resolve("jobs");
    try {
      Files.createDirectories(jobs);
      Files.writeString(jobs.resolve(job), text);
    } catch (IOException e) {
      throw new TidemillException(
              ErrorCode.NOT_WRITABLE, "The job could not be copied for the functions.", e)
          .with("directory", jobs);
    }
    Map<String, String> all = new TreeMap<>(variables);
    all.putAll(stackVariables());
    all.putAll(servers.environment());
    all.put("TIDEMILL_JOBS", jobs.toString());
    // Per query one that runs, one that goes on with it, and one that stops it.
    new TidemillFunctions(
            settings.functions(),
            false,
            new TidemillFunctions.Size(
                deployed.orchestratorMegabytes(), 3 * queries, ORCHESTRATOR_TIMEOUT),
            new TidemillFunctions.Size(
                deployed.batchMegabytes(), settings.concurrency(), BATCH_TIMEOUT))
        .deployTo(
            host,
            all,
            Map.of(
                "TIDEMILL_TASK_CONCURRENCY",
                Integer.toString(settings.concurrency()),
                "TIDEMILL_TASK_TIMEOUT_SECONDS",
                Long.toString(BATCH_TIMEOUT.toSeconds())));
  }

  /** Asks the orchestrator. */
  public Triggers triggers() {
    return triggers;
  }

  /** Waits until no task runs: a run may have ended without the slower of two that did the same. */
  public void awaitTasks() throws InterruptedException {
    ledger.awaitTasks();
  }

  /** Everything that the functions have used so far. */
  public Usage used() {
    return ledger.total();
  }

  /** An orchestrator that is at work for so long, and does nothing else. */
  public Usage orchestratorTime(Duration time) {
    return Usage.time(time.toMillis(), deployed.orchestratorMegabytes(), 0);
  }

  /** What the functions printed. */
  public String logs() {
    return host.logs();
  }

  @Override
  public void close() {
    try {
      host.close();
    } finally {
      locations.close();
      servers.close();
    }
  }
}
