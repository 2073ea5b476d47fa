package io.tidemill.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.checkpoint.TaskRecords;
import io.tidemill.connectors.Connectors;
import io.tidemill.connectors.file.FileFormat;
import io.tidemill.connectors.file.FileSinkConnector;
import io.tidemill.connectors.file.FileSourceConnector;
import io.tidemill.function.FunctionSettings;
import io.tidemill.function.TaskRunner;
import io.tidemill.local.InProcessInvoker;
import io.tidemill.local.LocalJob;
import io.tidemill.orchestrator.Invoker;
import io.tidemill.orchestrator.OrchestratorSettings;
import io.tidemill.orchestrator.QueryRun;
import io.tidemill.orchestrator.RunEnvironment;
import io.tidemill.orchestrator.RunSpec;
import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.Ids;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.protocol.task.TaskResult;
import io.tidemill.query.job.JobText;
import io.tidemill.query.job.Variables;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.Trigger;
import io.tidemill.shapes.TaskSizes;
import io.tidemill.storage.Blob;
import io.tidemill.storage.ChainRegister;
import io.tidemill.storage.local.Durability;
import io.tidemill.storage.local.LocalBlob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An attempt that begins when its batch is long committed, and what it reads is deleted. */
class LateAttemptTest {
  private static final String JOB =
      """
      CREATE STREAM orders (customer VARCHAR NOT NULL, amount BIGINT NOT NULL)
      WITH (connector = 'json', path = '${DIR}/in');
      CREATE SINK firsts WITH (connector = 'parquet', path = '${DIR}/out');
      SET checkpoint = '${DIR}/checkpoint';
      INSERT INTO firsts SELECT customer, amount FROM drop_duplicates(orders, customer);
      """;

  @TempDir Path directory;
  private final AtomicLong count = new AtomicLong();
  private final Ids ids = () -> "id" + count.incrementAndGet();
  private final ConcurrentLinkedQueue<TaskRequest> requests = new ConcurrentLinkedQueue<>();
  private Connectors connectors;
  private QueryPlan plan;
  private Path checkpoint;
  private Blob blob;

  @BeforeEach
  void write() throws IOException {
    Files.createDirectories(directory.resolve("in"));
    Files.writeString(
        directory.resolve("in/orders.json"),
        "{\"customer\":\"a\",\"amount\":1}\n{\"customer\":\"b\",\"amount\":2}\n");
    connectors =
        new Connectors(
            List.of(new FileSourceConnector(FileFormat.JSON)),
            List.of(new FileSinkConnector(FileFormat.PARQUET, path -> blob(Path.of(path)))));
    QueryPlan compiled =
        LocalJob.compile(
                new JobText("job.sql", JOB),
                new Variables(Map.of("DIR", directory.toString()), name -> null),
                connectors)
            .get(0);
    plan = compiled.withSettings(compiled.settings().withTrigger(Trigger.availableNow()));
    checkpoint = directory.resolve("checkpoint/firsts");
    blob = blob(checkpoint);
  }

  @AfterEach
  void close() {
    blob.close();
  }

  private Blob blob(Path path) {
    return new LocalBlob(path, ids, InstantSource.system(), Durability.NONE);
  }

  private TaskRunner runner() {
    return new TaskRunner(
        plan,
        connectors,
        blob,
        directory.resolve("scratch-" + ids.next()),
        List.of(checkpoint),
        FunctionSettings.STANDARD);
  }

  /** Runs the query, each batch in tasks by stage; {@code before} sees each request first. */
  private void run(Consumer<TaskRequest> before) {
    OrchestratorSettings byStage = TaskSizes.of(0, OrchestratorSettings.DEFAULT.shardRows());
    try (ChainRegister register = new ChainRegister(blob);
        InProcessInvoker functions = new InProcessInvoker(2, number -> runner())) {
      QueryRun.open(
              new RunSpec(plan, byStage, List.of(), false),
              new RunEnvironment(
                  connectors,
                  blob,
                  register,
                  watched(functions, before),
                  InstantSource.system(),
                  ids,
                  "run-" + ids.next(),
                  owner -> true))
          .run();
    }
  }

  private Invoker watched(Invoker functions, Consumer<TaskRequest> before) {
    return new Invoker() {
      @Override
      public CompletableFuture<TaskResult> invoke(TaskRequest request) {
        before.accept(request);
        requests.add(request);
        return functions.invoke(request);
      }

      @Override
      public int parallelism() {
        return functions.parallelism();
      }

      @Override
      public void close() {}
    };
  }

  /** The request of a task behind the shuffle, whose files are gone since the commit. */
  private TaskRequest committedShard() {
    run(request -> {});
    TaskRequest shard =
        requests.stream().filter(r -> !r.shuffles().isEmpty()).findFirst().orElseThrow();
    assertThat(shard.replay()).isFalse();
    assertThat(blob.list("shuffle/", "", 10)).isEmpty();
    return shard;
  }

  private TaskResult attempt(TaskRequest request) {
    try (TaskRunner late = runner()) {
      return late.run(request.withAttempt(new AttemptId(ids.next())));
    }
  }

  @Test
  void aLateAttemptAnswersWithTheResultThatCounted() {
    TaskRequest shard = committedShard();

    TaskResult result = attempt(shard);

    assertThat(result).isEqualTo(new TaskRecords(blob).read(shard.task()).orElseThrow());
    assertThat(result.attempt()).isEqualTo(shard.attempt());
  }

  @Test
  void aLateAttemptWhoseRecordIsCollectedSaysThatItIsLate() {
    TaskRequest shard = committedShard();
    blob.list("tasks/", "", 10).forEach(blob::delete);

    fails(ErrorCode.STALE_ATTEMPT, () -> attempt(shard));

    assertThat(blob.list("tasks/", "", 10)).isEmpty();
  }

  @Test
  void rowsThatAreMissingBeforeTheCommitAreDamage() {
    fails(
        ErrorCode.STATE_CORRUPT,
        () -> run(request -> request.shuffles().forEach(file -> blob.delete(file.key()))));
  }

  private static void fails(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(TidemillException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
