package io.tidemill.cli;

import io.tidemill.query.plan.Trigger;
import java.util.Map;
import java.util.Optional;

/**
 * A job as asked for on the command line.
 *
 * @param file location of the job file
 * @param variables values for its variables
 * @param trigger replaces the job's trigger
 * @param checkpoint replaces the job's checkpoint location
 * @param force whether to take the checkpoint over from a run that still holds it
 */
record JobRequest(
    String file,
    Map<String, String> variables,
    Optional<Trigger> trigger,
    Optional<String> checkpoint,
    boolean force) {
  JobRequest {
    variables = Map.copyOf(variables);
  }
}
