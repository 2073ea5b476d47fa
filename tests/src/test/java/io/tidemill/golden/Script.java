package io.tidemill.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

/**
 * A trace as text: the rows of a step, a line {@code ----}, and the batches that then run; a blank
 * line between steps.
 */
final class Script {
  private static final String BREAK = "----\n";
  private static final String NO_INPUT = "no input";
  private static final String NO_BATCH = "no batch";

  private Script() {}

  /** Gives a query the input of a trace, and checks that the trace is what happens. */
  static void check(Steps query, String trace) throws Exception {
    List<String> actual = new ArrayList<>();
    for (String step : trace.split("\n\n", -1)) {
      String input = step.substring(0, step.indexOf(BREAK));
      List<String> rows = input.lines().filter(row -> !row.equals(NO_INPUT)).toList();
      List<String> batches = query.step(rows).stream().map(Batch::toString).toList();
      actual.add(
          input + BREAK + (batches.isEmpty() ? NO_BATCH : String.join("\n", batches)) + "\n");
    }
    assertThat(String.join("\n", actual)).isEqualTo(trace);
  }
}
