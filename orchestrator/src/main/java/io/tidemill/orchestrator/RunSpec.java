package io.tidemill.orchestrator;

import io.tidemill.query.plan.QueryPlan;
import java.util.List;

/**
 * What to run.
 *
 * @param force true to take over from a living owner of the checkpoint
 * @param continued true if this is the rest of a run that another process began and ended for lack
 *     of time, after at least one batch: a watermark that moved there is worth a batch here
 */
public record RunSpec(
    QueryPlan plan,
    OrchestratorSettings settings,
    List<StreamingQueryListener> listeners,
    boolean force,
    boolean continued) {
  public RunSpec {
    listeners = List.copyOf(listeners);
  }

  /** A run of its own. */
  public RunSpec(
      QueryPlan plan,
      OrchestratorSettings settings,
      List<StreamingQueryListener> listeners,
      boolean force) {
    this(plan, settings, listeners, force, false);
  }

  /** A run with default settings, no listener, no force. */
  public static RunSpec of(QueryPlan plan) {
    return new RunSpec(plan, OrchestratorSettings.DEFAULT, List.of(), false);
  }
}
