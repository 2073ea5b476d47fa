package io.tidemill.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProgressDisplayTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  @Test
  void linesNameWhatThereIs() {
    try (ProgressDisplay display = new LineDisplay(out)) {
      display.batch(batch(3, 1_000, 4_000, Optional.of("2026-03-01T00:10:00.000Z")));
    }

    assertThat(text())
        .isEqualTo(
            "revenue batch 3: 1,000 rows, 2,000 rows/s, lag 4,000,"
                + " watermark 2026-03-01T00:10:00.000Z, state 70, out 5, malformed 2, late 1\n");
  }

  @Test
  void terminalLineIsWrittenOverAndFitsTheWidth() {
    try (ProgressDisplay display = new TerminalDisplay(out, 40)) {
      display.batch(batch(0, 1_000, 1_000, Optional.empty()));
      display.batch(batch(1, 1_000, 0, Optional.empty()));
    }

    String[] lines = text().split("\r\u001b\\[2K", -1);
    assertThat(lines[1]).startsWith("[==========          ]  50 % revenue").hasSize(39);
    assertThat(lines[2]).startsWith("[====================] 100 % revenue").hasSize(39);
    assertThat(text()).endsWith("\r\u001b[2K");
  }

  @Test
  void whatIsSaidStaysAboveTheTerminalLine() {
    try (ProgressDisplay display = new TerminalDisplay(out, 80)) {
      display.step("Producing orders", 1, 4);
      display.say("A broker runs.");
      display.step("Producing orders", 2, 4);
    }

    assertThat(text())
        .contains("\r\u001b[2KA broker runs.\n\r\u001b[2K[==========          ]  50 % Producing");
  }

  private String text() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static BatchView batch(long batch, long rows, long lag, Optional<String> watermark) {
    return new BatchView("revenue", batch, rows, 2_000, lag, watermark, 70, 5, 2, 1);
  }
}
