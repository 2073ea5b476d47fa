package io.tidemill.local;

import io.tidemill.checkpoint.Records;
import io.tidemill.connectors.Connectors;
import io.tidemill.function.FunctionSettings;
import io.tidemill.function.TaskRunner;
import io.tidemill.orchestrator.LocalOwner;
import io.tidemill.orchestrator.QueryRun;
import io.tidemill.orchestrator.RunEnvironment;
import io.tidemill.orchestrator.RunSpec;
import io.tidemill.protocol.Ids;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.storage.Blob;
import io.tidemill.storage.Store;
import io.tidemill.storage.local.LocalPaths;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.BiFunction;

/**
 * A query with everything but perhaps its checkpoint in this process: its functions are threads.
 * Close it after the run has ended.
 */
public final class LocalQuery implements AutoCloseable {
  private final QueryRun run;
  private final InProcessInvoker invoker;
  private final Store checkpoint;

  private LocalQuery(QueryRun run, InProcessInvoker invoker, Store checkpoint) {
    this.run = run;
    this.invoker = invoker;
    this.checkpoint = checkpoint;
  }

  /** What a local run works with besides the query itself. */
  public record Machine(
      Connectors connectors,
      int parallelism,
      FunctionSettings functions,
      Path scratch,
      InstantSource clock,
      Ids ids) {}

  /**
   * Opens a run whose checkpoint is the given directory; {@link #run} starts it.
   *
   * @see QueryRun#open for errors
   */
  public static LocalQuery open(RunSpec spec, Path directory, Machine machine) {
    return with(spec, local(directory, machine), machine, QueryRun::open);
  }

  /** Opens, and runs on a thread of its own. */
  public static LocalQuery start(RunSpec spec, Path directory, Machine machine) {
    return start(spec, local(directory, machine), machine);
  }

  /**
   * Opens, and runs on a thread of its own.
   *
   * @param checkpoint closed with this
   */
  public static LocalQuery start(RunSpec spec, Store checkpoint, Machine machine) {
    return with(spec, checkpoint, machine, QueryRun::start);
  }

  private static Store local(Path directory, Machine machine) {
    return new LocalPaths(machine.ids(), machine.clock()).store(directory.toString());
  }

  private static LocalQuery with(
      RunSpec spec,
      Store checkpoint,
      Machine machine,
      BiFunction<RunSpec, RunEnvironment, QueryRun> opening) {
    QueryPlan plan = spec.plan();
    Blob blob = checkpoint.blob();
    Records records = Records.in(checkpoint, machine.ids());
    String scratch = "query-" + machine.ids().next();
    InProcessInvoker invoker =
        new InProcessInvoker(
            machine.parallelism(),
            number ->
                new TaskRunner(
                    plan,
                    machine.connectors(),
                    blob,
                    records,
                    machine.scratch().resolve(scratch).resolve("function-" + number),
                    checkpoint.readable(),
                    machine.functions()));
    LocalOwner owner = LocalOwner.ofThisHost();
    QueryRun run =
        opening.apply(
            spec,
            new RunEnvironment(
                machine.connectors(),
                blob,
                checkpoint.register(),
                invoker,
                machine.clock(),
                machine.ids(),
                owner.text(),
                owner));
    return new LocalQuery(run, invoker, checkpoint);
  }

  public QueryRun run() {
    return run;
  }

  @Override
  public void close() {
    invoker.close();
    checkpoint.close();
  }
}
