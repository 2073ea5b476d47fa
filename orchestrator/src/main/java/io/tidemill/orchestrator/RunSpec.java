package io.tidemill.orchestrator;

import io.tidemill.query.plan.QueryPlan;
import java.util.List;

/**
 * What to run.
 *
 * @param force true to take over from a living owner of the checkpoint
 */
public record RunSpec(
    QueryPlan plan,
    OrchestratorSettings settings,
    List<StreamingQueryListener> listeners,
    boolean force) {
  public RunSpec {
    listeners = List.copyOf(listeners);
  }

  /** A run with default settings, no listener, no force. */
  public static RunSpec of(QueryPlan plan) {
    return new RunSpec(plan, OrchestratorSettings.DEFAULT, List.of(), false);
  }
}
