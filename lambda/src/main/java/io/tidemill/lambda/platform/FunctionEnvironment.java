package io.tidemill.lambda.platform;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Settings of the functions: environment variables whose names start with {@code TIDEMILL_}. An
 * unknown one, or a value out of bounds, is {@code INVALID_OPTION}.
 *
 * @param jobs {@value #JOBS}: the folder of jobs, {@code s3://bucket/prefix} or a directory;
 *     without it, {@code jobs} in the package
 * @param batchFunction {@value #BATCH_FUNCTION}: name or ARN of the function that runs tasks, best
 *     with an alias; the orchestrator needs it
 * @param taskConcurrency {@value #TASK_CONCURRENCY}: most tasks of a query at the same time; more
 *     finish sooner and hit the function's concurrency limit
 * @param taskTimeoutSeconds {@value #TASK_TIMEOUT}: how long a task may take until it is tried
 *     again; not less than the batch function's timeout
 * @param stopMarginSeconds {@value #STOP_MARGIN}: with less time than this left, the orchestrator
 *     begins no batch and continues in another invocation; as long as a usual batch
 * @param leaseSeconds {@value #LEASE}: how long other runs keep away after a write of a run that
 *     died; longer delays recovery, shorter than a pause of the orchestrator costs contests
 * @param wholeBatchRows {@value #WHOLE_BATCH_ROWS}: estimated rows up to which a batch is one task
 * @param shardRows {@value #SHARD_ROWS}: rows of input and state per task of a stage
 * @param inlineShuffleBytes {@value #INLINE_SHUFFLE}: rows between stages up to this size travel in
 *     the messages, without objects
 */
public record FunctionEnvironment(
    Optional<String> jobs,
    Optional<String> batchFunction,
    int taskConcurrency,
    int taskTimeoutSeconds,
    int stopMarginSeconds,
    int leaseSeconds,
    long wholeBatchRows,
    long shardRows,
    int inlineShuffleBytes) {
  static final String PREFIX = "TIDEMILL_";
  static final String JOBS = "TIDEMILL_JOBS";
  static final String BATCH_FUNCTION = "TIDEMILL_BATCH_FUNCTION";
  static final String TASK_CONCURRENCY = "TIDEMILL_TASK_CONCURRENCY";
  static final String TASK_TIMEOUT = "TIDEMILL_TASK_TIMEOUT_SECONDS";
  static final String STOP_MARGIN = "TIDEMILL_STOP_MARGIN_SECONDS";
  static final String LEASE = "TIDEMILL_LEASE_SECONDS";
  static final String WHOLE_BATCH_ROWS = "TIDEMILL_WHOLE_BATCH_ROWS";
  static final String SHARD_ROWS = "TIDEMILL_SHARD_ROWS";
  static final String INLINE_SHUFFLE = "TIDEMILL_INLINE_SHUFFLE_BYTES";

  /** Names no setting of the functions, but where CloudWatch shows their metrics. */
  static final String METRICS_NAMESPACE = "TIDEMILL_METRICS_NAMESPACE";

  private static final List<String> NAMES =
      List.of(
          JOBS,
          BATCH_FUNCTION,
          TASK_CONCURRENCY,
          TASK_TIMEOUT,
          STOP_MARGIN,
          LEASE,
          WHOLE_BATCH_ROWS,
          SHARD_ROWS,
          INLINE_SHUFFLE,
          METRICS_NAMESPACE,
          // Read where clients are made.
          "TIDEMILL_CHECKPOINT_TABLE",
          "TIDEMILL_STATE_TABLE",
          "TIDEMILL_STATE_TTL_DAYS");

  /** Names of all variables that functions read, those read elsewhere among them. */
  public static List<String> names() {
    return NAMES;
  }

  /** Reads the settings from all environment variables. */
  public static FunctionEnvironment of(Map<String, String> variables) {
    for (String name : variables.keySet()) {
      if (name.startsWith(PREFIX) && !NAMES.contains(name)) {
        throw new TidemillException(
                ErrorCode.INVALID_OPTION,
                "The function has an environment variable that nobody reads."
                    + Nearest.hint(name, NAMES))
            .with("variable", name);
      }
    }
    return new FunctionEnvironment(
        text(variables, JOBS),
        text(variables, BATCH_FUNCTION),
        (int) number(variables, TASK_CONCURRENCY, 100, 1, 1_000),
        (int) number(variables, TASK_TIMEOUT, 900, 1, 900),
        (int) number(variables, STOP_MARGIN, 60, 1, 600),
        (int) number(variables, LEASE, 60, 1, 900),
        number(variables, WHOLE_BATCH_ROWS, 50_000, 0, Long.MAX_VALUE),
        number(variables, SHARD_ROWS, 100_000, 1, Long.MAX_VALUE),
        (int) number(variables, INLINE_SHUFFLE, 16_384, 0, 65_536));
  }

  private static Optional<String> text(Map<String, String> variables, String name) {
    return Optional.ofNullable(variables.get(name)).filter(value -> !value.isBlank());
  }

  private static long number(
      Map<String, String> variables, String name, long otherwise, long least, long most) {
    Optional<String> given = text(variables, name);
    if (given.isEmpty()) {
      return otherwise;
    }
    if (given.get().matches("\\d{1,18}")) {
      long value = Long.parseLong(given.get());
      if (value >= least && value <= most) {
        return value;
      }
    }
    throw new TidemillException(
            ErrorCode.INVALID_OPTION,
            "An environment variable of the function is not a number within its bounds.")
        .with("variable", name)
        .with("value", given.get())
        .with("least", least)
        .with("most", most);
  }
}
