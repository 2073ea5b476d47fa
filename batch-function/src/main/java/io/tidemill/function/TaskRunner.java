package io.tidemill.function;

import io.tidemill.checkpoint.HeadStore;
import io.tidemill.checkpoint.Records;
import io.tidemill.checkpoint.TaskRecords;
import io.tidemill.connectors.Connectors;
import io.tidemill.engine.Duck;
import io.tidemill.engine.task.TaskEngine;
import io.tidemill.engine.task.TaskValues;
import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.Epoch;
import io.tidemill.protocol.Ids;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.source.SourceStats;
import io.tidemill.protocol.task.ShuffleFile;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.protocol.task.TaskResult;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.Stage;
import io.tidemill.query.plan.StateForm;
import io.tidemill.state.ItemState;
import io.tidemill.state.ObjectState;
import io.tidemill.state.StateStore;
import io.tidemill.storage.Blob;
import io.tidemill.storage.ChainRegister;
import io.tidemill.storage.Items;
import io.tidemill.storage.Register;
import io.tidemill.storage.Store;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs the tasks of one query in one function instance. What it keeps between tasks (connections,
 * static tables, the shards it last saw) only makes it faster. One thread at a time.
 */
public final class TaskRunner implements AutoCloseable {

  private final QueryPlan plan;
  private final TaskRecords records;
  private final LateAttempts lateAttempts;
  private final Scratch scratch;
  private final Duck duck;
  private final TaskValues values;
  private final StateStore state;
  private final SourceReading sources;
  private final SinkWriting sinks;
  private final ShuffleFiles shuffles;
  private Optional<Epoch> tablesOf = Optional.empty();

  /**
   * Opens an instance.
   *
   * @param checkpoint blobs of the query's checkpoint, the head among them; the caller closes it
   * @param scratchRoot a local directory of this instance alone
   * @param readable further local directories that DuckDB may read, e.g. the checkpoint's own
   */
  public TaskRunner(
      QueryPlan plan,
      Connectors connectors,
      Blob checkpoint,
      Path scratchRoot,
      List<Path> readable,
      FunctionSettings settings) {
    this(
        plan,
        connectors,
        checkpoint,
        new ChainRegister(checkpoint),
        Records.in(checkpoint),
        Optional.empty(),
        scratchRoot,
        readable,
        settings);
  }

  /**
   * Opens an instance.
   *
   * @param checkpoint of the query; the caller closes it
   * @param ids for attempts at task records
   * @param scratchRoot a local directory of this instance alone
   */
  public TaskRunner(
      QueryPlan plan,
      Connectors connectors,
      Store checkpoint,
      Ids ids,
      Path scratchRoot,
      FunctionSettings settings) {
    this(
        plan,
        connectors,
        checkpoint.blob(),
        checkpoint.register(),
        Records.in(checkpoint, ids),
        checkpoint.items(),
        scratchRoot,
        checkpoint.readable(),
        settings);
  }

  private TaskRunner(
      QueryPlan plan,
      Connectors connectors,
      Blob checkpoint,
      Register heads,
      Records records,
      Optional<Items> items,
      Path scratchRoot,
      List<Path> readable,
      FunctionSettings settings) {
    this.plan = plan;
    this.records = new TaskRecords(records);
    this.lateAttempts = new LateAttempts(this.records, new HeadStore(checkpoint, heads));
    try {
      this.scratch = new Scratch(scratchRoot);
      List<Path> directories = new ArrayList<>();
      directories.add(scratch.root());
      for (Path path : readable) {
        directories.add(path.toRealPath());
      }
      this.duck = new Duck(directories, settings.memoryBytes());
    } catch (IOException e) {
      throw new TidemillException(
              ErrorCode.STORAGE_UNAVAILABLE, "The scratch directory cannot be used.", e)
          .with("directory", scratchRoot);
    }
    this.values = new TaskValues(duck, plan);
    this.state =
        plan.settings().state() == StateForm.DYNAMODB
            ? new ItemState(items.orElseThrow(TaskRunner::noTable), checkpoint, duck.connection())
            : new ObjectState(
                checkpoint, duck.connection(), scratch.directory("state"), settings.state());
    this.sources = new SourceReading(plan, connectors, duck, scratch);
    this.sinks = new SinkWriting(plan, connectors, checkpoint, duck, scratch);
    this.shuffles = new ShuffleFiles(checkpoint, duck, scratch);
  }

  private static TidemillException noTable() {
    return new TidemillException(
        ErrorCode.INVALID_OPTION,
        "The query keeps its state in DynamoDB, but no table is named for it. Set the environment"
            + " variable TIDEMILL_STATE_TABLE, with a checkpoint on s3://, or SET state = 'object'.");
  }

  /**
   * Runs a task, or takes over the result of an attempt that was first, also if this one fails.
   * Errors: {@code STALE_ATTEMPT} if the batch is long committed.
   */
  public TaskResult run(TaskRequest request) {
    if (!request.planFingerprint().equals(plan.fingerprint())) {
      throw new TidemillException(
              ErrorCode.CHECKPOINT_MISMATCH,
              "The function has another version of the query than the orchestrator; deploy both.")
          .with("query", plan.name());
    }
    if (request.replay()) {
      Optional<TaskResult> before = records.read(request.task());
      if (before.isPresent()) {
        return before.get();
      }
    }
    try {
      return records.record(compute(request));
    } catch (TidemillException e) {
      return lateAttempts.instead(request.task(), e);
    }
  }

  private TaskResult compute(TaskRequest request) {
    long started = System.nanoTime();
    loadTables(request.batch().epoch());
    Buckets shard = request.buckets() == null ? Buckets.ALL : request.buckets();
    TaskState access = new TaskState(state, request, shard);
    values.set(request.batch(), request.task());
    TaskEngine engine = new TaskEngine(duck, plan, request.batch(), access);
    List<SourceStats> read = new ArrayList<>();
    List<ShuffleFile> written = new ArrayList<>();
    List<TaskResult.SinkOutput> outputs = new ArrayList<>();
    long outputRows = 0;
    try {
      for (int id : request.stages()) {
        Stage stage = plan.stages().get(id);
        if (stage.readsSource()) {
          SourceReading.Read result = sources.read(engine, stage, request.splits());
          read.add(result.stats());
          result
              .deadLetters()
              .ifPresent(d -> outputs.addAll(sinks.write(d.sink(), d.table(), request)));
        }
        long rows = engine.run(stage, inputs(stage, request, shard));
        if (stage.consumer().isEmpty()) {
          outputRows += rows;
          if (rows > 0) {
            outputs.addAll(sinks.write(0, TaskEngine.outTable(id), request));
          }
        } else if (!request.stages().contains(stage.consumer().getAsInt())) {
          shuffles.write(stage, request).ifPresent(written::add);
        }
      }
      return new TaskResult(
          request.task(),
          request.attempt(),
          read,
          engine.operatorStats(),
          access.save(),
          written,
          outputs,
          outputRows,
          (System.nanoTime() - started) / 1_000_000);
    } finally {
      engine.close();
      scratch.clear("task");
    }
  }

  /** Static tables are as each run of the query finds them; an instance may serve many runs. */
  private void loadTables(Epoch run) {
    if (plan.tables().isEmpty() || tablesOf.equals(Optional.of(run))) {
      return;
    }
    sources.loadTables();
    tablesOf = Optional.of(run);
  }

  private List<String> inputs(Stage stage, TaskRequest request, Buckets shard) {
    List<String> tables = new ArrayList<>();
    for (int input : stage.inputs()) {
      if (request.stages().contains(input)) {
        tables.add(TaskEngine.outTable(input));
      }
    }
    shuffles.read(stage, request.shuffles(), shard).ifPresent(tables::add);
    return tables;
  }

  @Override
  public void close() {
    sources.close();
    sinks.close();
    state.close();
    duck.close();
    scratch.close();
  }
}
