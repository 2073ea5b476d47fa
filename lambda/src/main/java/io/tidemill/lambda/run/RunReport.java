package io.tidemill.lambda.run;

import io.tidemill.lambda.platform.EmbeddedMetrics;
import io.tidemill.protocol.error.Category;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.aws.AwsCalls;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/** Tells what became of a trigger, as metrics of its query. */
final class RunReport {
  private final EmbeddedMetrics metrics;
  private final InstantSource clock;
  private final AwsCalls calls;
  private final String query;
  private final RunTotals totals;
  private final long startedMillis;
  private final long throttledBefore;

  /** To be made when the run starts. */
  RunReport(
      EmbeddedMetrics metrics,
      InstantSource clock,
      AwsCalls calls,
      String query,
      RunTotals totals) {
    this.metrics = metrics;
    this.clock = clock;
    this.calls = calls;
    this.query = query;
    this.totals = totals;
    this.startedMillis = clock.millis();
    this.throttledBefore = calls.throttled();
  }

  RunAnswer ended(RunAnswer answer) {
    boolean askedSources =
        answer.outcome() == RunAnswer.Outcome.DONE
            || answer.outcome() == RunAnswer.Outcome.CONTINUED;
    write(answer, askedSources ? Map.of("InputRows", answer.inputRows()) : Map.of());
    return answer;
  }

  /** Only what somebody should look at: a run that lost to another one is none of that. */
  void failed(TidemillException failure) {
    Map<String, Long> failures =
        failure.code() == ErrorCode.SOURCE_UNAVAILABLE
            ? Map.of("SourceUnavailable", 1L)
            : failure.category() == Category.CONFLICT ? Map.of() : Map.of("RunsFailed", 1L);
    write(totals.answer(query, RunAnswer.Outcome.DONE), failures);
  }

  /** A metric is paid in each hour in which it is sent, so what is zero stays out. */
  private void write(RunAnswer answer, Map<String, Long> special) {
    Map<String, Long> values = new HashMap<>();
    values.put("Batches", answer.batches());
    values.put("OutputRows", answer.outputRows());
    values.put("LateRows", totals.lateRows());
    values.put("MalformedRows", totals.malformedRows());
    values.put("StorageThrottles", calls.throttled() - throttledBefore);
    values.values().removeIf(value -> value == 0);
    if (answer.batches() > 0) {
      long runMillis = clock.millis() - startedMillis;
      values.put("RunMillis", runMillis);
      values.put("BacklogMillis", totals.backlogMillis(runMillis));
    }
    values.put("Runs", 1L);
    values.putAll(special);
    metrics.write(query, values);
  }
}
