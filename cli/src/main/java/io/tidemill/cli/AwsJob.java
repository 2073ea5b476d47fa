package io.tidemill.cli;

import io.tidemill.aws.local.LocalAws;
import io.tidemill.connectors.Connectors;
import io.tidemill.connectors.memory.MemoryStreams;
import io.tidemill.connectors.memory.MemoryTables;
import io.tidemill.local.LocalJob;
import io.tidemill.local.StandardConnectors;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.job.JobText;
import io.tidemill.query.job.Variables;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.storage.Locations;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * A job file that functions are to run.
 *
 * @param name file name
 * @param variables values given on the command line
 * @param environment variables of this process's environment that the job names: functions have an
 *     environment of their own
 */
record AwsJob(
    String name,
    String text,
    List<QueryPlan> queries,
    Map<String, String> variables,
    Map<String, String> environment) {
  AwsJob {
    queries = List.copyOf(queries);
    variables = Map.copyOf(variables);
    environment = Map.copyOf(environment);
  }

  /**
   * Compiles a job; every mistake in it is an error that says where.
   *
   * @param outside value of an environment variable, or null
   */
  static AwsJob read(
      JobText job,
      Map<String, String> variables,
      UnaryOperator<String> outside,
      Locations locations) {
    Connectors connectors =
        StandardConnectors.of(
            locations, InstantSource.system(), System.out, new MemoryStreams(), new MemoryTables());
    Map<String, String> named = new TreeMap<>();
    UnaryOperator<String> environment =
        name -> {
          String ofStack = LocalAws.stackVariables().get(name);
          return ofStack == null ? remembered(name, outside, named) : ofStack;
        };
    List<QueryPlan> queries =
        LocalJob.compile(job, new Variables(variables, environment), connectors);
    for (QueryPlan query : queries) {
      if (query.settings().checkpoint().isEmpty()) {
        throw new TidemillException(
                ErrorCode.INVALID_OPTION,
                "The job names no checkpoint, where its progress is kept. Add SET checkpoint ="
                    + " '${CHECKPOINTS}'.")
            .with("query", query.name());
      }
    }
    return new AwsJob(
        Path.of(job.name()).getFileName().toString(), job.text(), queries, variables, named);
  }

  private static String remembered(
      String name, UnaryOperator<String> outside, Map<String, String> named) {
    String value = outside.apply(name);
    if (value != null) {
      named.put(name, value);
    }
    return value;
  }
}
