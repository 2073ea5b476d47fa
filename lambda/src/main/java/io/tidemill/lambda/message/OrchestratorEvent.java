package io.tidemill.lambda.message;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import java.util.Optional;

/**
 * What the orchestrator is asked to do.
 *
 * @param action one of {@link Action}, in lower case
 * @param job file name in the folder of jobs; empty to look for the query in all
 * @param query the query's name; empty for all of the job
 * @param variables values of the job's variables, before those of the environment
 * @param force for a trigger: take over from a run that holds the lease
 * @param continued for a trigger: it is for the rest of a run that ended for lack of time, after at
 *     least one batch; not written if false, so that earlier versions understand the others
 */
public record OrchestratorEvent(
    String action,
    Optional<String> job,
    Optional<String> query,
    Map<String, String> variables,
    boolean force,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean continued) {
  /** What can be asked. */
  public enum Action {
    /** Run the query until nothing is left, or as long as there is time. */
    TRIGGER,
    /** Compile it and compare it with its checkpoint. */
    PLAN,
    /** Tell what its checkpoint holds. */
    STATUS,
    /** End its run, and let no other begin. */
    STOP,
    /** Let it be triggered again. */
    START
  }

  public OrchestratorEvent {
    job = job == null ? Optional.empty() : job;
    query = query == null ? Optional.empty() : query;
    variables = variables == null ? Map.of() : Map.copyOf(variables);
  }

  /** A trigger of one query. */
  public static OrchestratorEvent trigger(JobReference job) {
    return rest(job, false);
  }

  /**
   * A trigger for the rest of a run.
   *
   * @param afterBatch whether the run has run a batch; without one the rest is a run of its own
   */
  public static OrchestratorEvent rest(JobReference job, boolean afterBatch) {
    return new OrchestratorEvent(
        "trigger",
        Optional.of(job.job()),
        Optional.of(job.query()),
        job.variables(),
        false,
        afterBatch);
  }
}
