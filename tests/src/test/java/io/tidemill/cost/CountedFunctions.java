package io.tidemill.cost;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.aws.servers.AwsServers;
import io.tidemill.connectors.Connectors;
import io.tidemill.connectors.memory.MemoryStreams;
import io.tidemill.connectors.memory.MemoryTables;
import io.tidemill.function.FunctionSettings;
import io.tidemill.lambda.job.Jobs;
import io.tidemill.lambda.job.LocalJobFolder;
import io.tidemill.lambda.job.References;
import io.tidemill.lambda.message.JobReference;
import io.tidemill.lambda.message.TaskAnswer;
import io.tidemill.lambda.message.TaskEvent;
import io.tidemill.lambda.platform.EmbeddedMetrics;
import io.tidemill.lambda.platform.FunctionEnvironment;
import io.tidemill.lambda.platform.Platform;
import io.tidemill.lambda.run.Call;
import io.tidemill.lambda.run.OrchestratorFunction;
import io.tidemill.lambda.task.TaskFunction;
import io.tidemill.local.StandardConnectors;
import io.tidemill.local.StandardLocations;
import io.tidemill.orchestrator.Invoker;
import io.tidemill.protocol.Ids;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.protocol.task.TaskResult;
import io.tidemill.storage.aws.AwsCalls;
import io.tidemill.storage.aws.AwsClients;
import io.tidemill.storage.aws.AwsSettings;
import io.tidemill.storage.aws.Pause;
import io.tidemill.storage.aws.Retries;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/**
 * Both functions as they are deployed, but in this process, and with clients of their own, so that
 * the calls of each are counted apart. The batch function keeps warm from run to run.
 */
final class CountedFunctions implements AutoCloseable {
  private static final long INVOCATION_MILLIS = 300_000;

  private final Function orchestrator;
  private final Function batch;
  private final TaskFunction tasks;
  private final AtomicLong invocations = new AtomicLong();

  /** One function's platform, and what it holds open. */
  private record Function(AwsClients clients, StandardLocations places, Platform platform)
      implements AutoCloseable {
    @Override
    public void close() {
      places.close();
      clients.close();
    }
  }

  /**
   * @param directory has the jobs in {@code jobs}; everything local goes below it
   * @param variables of both functions
   */
  CountedFunctions(Path directory, Map<String, String> variables) {
    this.orchestrator = function(directory, "orchestrator", variables);
    this.batch = function(directory, "batch", variables);
    this.tasks = new TaskFunction(batch.platform());
  }

  static AwsClients clients(Map<String, String> variables) {
    return new AwsClients(
        AwsSettings.of(variables::get),
        Optional.of(
            StaticCredentialsProvider.create(
                AwsBasicCredentials.create(
                    AwsServers.shared().keyId(), AwsServers.shared().secret()))),
        UnaryOperator.identity());
  }

  private static Function function(Path directory, String name, Map<String, String> variables) {
    AtomicLong count = new AtomicLong();
    Ids ids = () -> directory.getFileName() + "-" + name + count.incrementAndGet();
    InstantSource clock = InstantSource.system();
    AwsClients clients = clients(variables);
    StandardLocations places =
        StandardLocations.of(clients, directory.resolve(name + "-copies"), clock, ids);
    PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
    Connectors connectors =
        StandardConnectors.of(
            places.locations(), clock, nowhere, new MemoryStreams(), new MemoryTables());
    References references = new References(Map.of());
    Platform platform =
        new Platform(
            FunctionEnvironment.of(variables),
            new Jobs(
                new LocalJobFolder(directory.resolve("jobs")),
                connectors,
                variables::get,
                references),
            references,
            connectors,
            places.locations(),
            directory.resolve(name + "-scratch"),
            FunctionSettings.STANDARD,
            new EmbeddedMetrics("Tidemill", nowhere, clock),
            clients,
            new Retries(new Random(1), Pause.waiting(), clients.calls()),
            clock,
            ids);
    return new Function(clients, places, platform);
  }

  /** Triggers a query and waits until nothing is left to do. */
  Counts trigger(String query) throws InterruptedException {
    Map<String, Long> orchestratorBefore = calls(orchestrator);
    Map<String, Long> batchBefore = calls(batch);
    long invocationsBefore = invocations.get();
    // Each in a fresh instance, as between triggers that are far apart.
    OrchestratorFunction function =
        new OrchestratorFunction(
            orchestrator.platform(),
            (job, checkpoint) -> new InThisProcess(job),
            (arn, event) -> {
              throw new IllegalStateException("there is time for all of it");
            });
    String event = "{\"action\":\"trigger\",\"job\":\"job.sql\",\"query\":\"" + query + "\"}";
    byte[] answer =
        function.handle(
            event.getBytes(UTF_8), new Call("orchestrator:live", () -> INVOCATION_MILLIS));
    return new Counts(
        Counts.minus(calls(orchestrator), orchestratorBefore),
        Counts.minus(calls(batch), batchBefore),
        invocations.get() - invocationsBefore,
        Json.read(answer, JsonNode.class));
  }

  private static Map<String, Long> calls(Function function) {
    Map<String, Long> calls = new TreeMap<>();
    function
        .clients()
        .calls()
        .counts()
        .forEach((operation, count) -> calls.put(operation, count.calls()));
    return calls;
  }

  /** What DynamoDB charged for all items put so far. */
  double putUnits() {
    return Stream.of(orchestrator, batch)
        .map(function -> function.clients().calls().counts().get("dynamodb:PutItem"))
        .filter(Objects::nonNull)
        .mapToDouble(AwsCalls.Count::units)
        .sum();
  }

  private final class InThisProcess implements Invoker {
    private final JobReference job;

    InThisProcess(JobReference job) {
      this.job = job;
    }

    @Override
    public CompletableFuture<TaskResult> invoke(TaskRequest request) {
      invocations.incrementAndGet();
      TaskAnswer answer =
          Json.read(tasks.handle(Json.bytes(TaskEvent.of(job, request))), TaskAnswer.class);
      return answer
          .result()
          .map(CompletableFuture::completedFuture)
          .orElseGet(
              () -> CompletableFuture.failedFuture(answer.failure().orElseThrow().toException()));
    }

    @Override
    public int parallelism() {
      return 4;
    }

    @Override
    public void close() {}
  }

  @Override
  public void close() {
    orchestrator.close();
    batch.close();
  }
}
