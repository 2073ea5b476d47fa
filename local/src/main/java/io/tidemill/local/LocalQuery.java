package io.tidemill.local;

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
import io.tidemill.storage.ChainRegister;
import io.tidemill.storage.Register;
import io.tidemill.storage.local.Durability;
import io.tidemill.storage.local.LocalBlob;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.function.BiFunction;

/**
 * A query with everything it needs in this process: its checkpoint on the local disk, its functions
 * as threads. Close it after the run has ended.
 */
public final class LocalQuery implements AutoCloseable {
  private final QueryRun run;
  private final InProcessInvoker invoker;
  private final Register register;
  private final Blob checkpoint;

  private LocalQuery(QueryRun run, InProcessInvoker invoker, Register register, Blob checkpoint) {
    this.run = run;
    this.invoker = invoker;
    this.register = register;
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
    return with(spec, directory, machine, QueryRun::open);
  }

  /** Opens, and runs on a thread of its own. */
  public static LocalQuery start(RunSpec spec, Path directory, Machine machine) {
    return with(spec, directory, machine, QueryRun::start);
  }

  private static LocalQuery with(
      RunSpec spec,
      Path directory,
      Machine machine,
      BiFunction<RunSpec, RunEnvironment, QueryRun> opening) {
    QueryPlan plan = spec.plan();
    Blob checkpoint = new LocalBlob(directory, machine.ids(), machine.clock(), Durability.SYNC);
    Register register = new ChainRegister(checkpoint);
    String scratch = "query-" + machine.ids().next();
    InProcessInvoker invoker =
        new InProcessInvoker(
            machine.parallelism(),
            number ->
                new TaskRunner(
                    plan,
                    machine.connectors(),
                    checkpoint,
                    machine.scratch().resolve(scratch).resolve("function-" + number),
                    List.of(directory),
                    machine.functions()));
    LocalOwner owner = LocalOwner.ofThisHost();
    RunEnvironment environment =
        new RunEnvironment(
            machine.connectors(),
            checkpoint,
            register,
            invoker,
            machine.clock(),
            machine.ids(),
            owner.text(),
            owner);
    try {
      return new LocalQuery(opening.apply(spec, environment), invoker, register, checkpoint);
    } catch (RuntimeException e) {
      invoker.close();
      register.close();
      checkpoint.close();
      throw e;
    }
  }

  public QueryRun run() {
    return run;
  }

  @Override
  public void close() {
    invoker.close();
    register.close();
    checkpoint.close();
  }
}
