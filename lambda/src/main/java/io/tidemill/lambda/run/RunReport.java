package io.tidemill.lambda.run;

import io.tidemill.lambda.platform.Platform;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.util.HashMap;
import java.util.Map;

/** Tells what became of a trigger, as metrics of its query. */
final class RunReport {
  private final Platform platform;
  private final String query;
  private final RunTotals totals;
  private final long startedMillis;

  RunReport(Platform platform, String query, RunTotals totals) {
    this.platform = platform;
    this.query = query;
    this.totals = totals;
    this.startedMillis = platform.clock().millis();
  }

  RunAnswer ended(RunAnswer answer) {
    write(answer, Map.of("RunsFailed", 0L, "SourceUnavailable", 0L));
    return answer;
  }

  void failed(TidemillException failure) {
    long source = failure.code() == ErrorCode.SOURCE_UNAVAILABLE ? 1 : 0;
    write(
        totals.answer(query, RunAnswer.Outcome.DONE),
        Map.of("RunsFailed", 1L, "SourceUnavailable", source));
  }

  private void write(RunAnswer answer, Map<String, Long> failures) {
    Map<String, Long> values = new HashMap<>(failures);
    values.put("Runs", 1L);
    values.put("Batches", answer.batches());
    values.put("InputRows", answer.inputRows());
    values.put("OutputRows", answer.outputRows());
    values.put("RunMillis", platform.clock().millis() - startedMillis);
    platform.metrics().write(query, values);
  }
}
