package io.tidemill.orchestrator;

import io.tidemill.protocol.QueryId;

/**
 * A run that somebody else drives, step by step and without threads: a simulation, or a function
 * that is called for each trigger. Used by one thread.
 */
public final class SteppedRun implements AutoCloseable {
  private final Control control = new Control();
  private final RunParts parts;
  private final QueryLoop loop;

  private SteppedRun(RunSpec spec, RunEnvironment environment, Runnable wake) {
    String runId = environment.ids().next();
    this.parts = RunParts.open(spec, environment, runId, control, wake);
    this.loop = new QueryLoop(parts, spec.continued());
  }

  /**
   * Opens as {@link QueryRun#open} does.
   *
   * @param wake called from any thread when a task is done and a step may go on
   */
  public static SteppedRun open(RunSpec spec, RunEnvironment environment, Runnable wake) {
    return new SteppedRun(spec, environment, wake);
  }

  public QueryId id() {
    return parts.head().head().query();
  }

  /** Does the next thing. An exception is the end of the run; {@link #abandon} should follow. */
  public Next step() {
    return loop.step();
  }

  /** Asks for an end after the batch. */
  public void requestStop() {
    control.requestStop();
  }

  /** After a failed step: gives up running tasks and the lease. */
  public void abandon() {
    loop.abandon();
  }

  /** Closes sources and sinks; writes nothing. */
  @Override
  public void close() {
    loop.close();
  }
}
