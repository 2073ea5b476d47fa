package io.tidemill.connectors.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.connectors.Options;
import io.tidemill.connectors.SinkPublisher;
import io.tidemill.connectors.testing.SinkHarness;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.schema.Schema;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConsoleSinkTest {
  private static final Schema ROWS = Schema.of("name", "VARCHAR", "v", "DECIMAL(10,2)");

  @TempDir Path temp;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final ConsoleSinkConnector connector =
      new ConsoleSinkConnector(new PrintStream(printed, true, StandardCharsets.UTF_8));

  private String print(Map<String, String> options, String... selects) {
    try (SinkHarness sink = new SinkHarness(temp, connector, ROWS, options, "q");
        SinkPublisher publisher = sink.publisher()) {
      List<SinkPublisher.Staged> staged = new java.util.ArrayList<>();
      for (String select : selects) {
        staged.add(sink.staged(select, 7, staged.size(), "x" + staged.size()));
      }
      publisher.publish(Timeline.FIRST, new BatchId(7), OutputMode.APPEND, staged);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aBatchIsPrintedAsATable() {
    assertThat(print(Map.of(), "VALUES ('a', 1.5)", "VALUES (NULL, 20), ('ünï\n', NULL)"))
        .isEqualTo(
            """
            -------------------------------------------
            Batch: 7
            -------------------------------------------
            +-------+-------+
            | name  |     v |
            +-------+-------+
            | a     |  1.50 |
            | NULL  | 20.00 |
            | ünï\\n |  NULL |
            +-------+-------+

            """);
  }

  @Test
  void moreRowsThanAskedForAreCounted() {
    assertThat(print(Map.of("numRows", "2"), "SELECT 'n' || i, i FROM range(5) r(i)"))
        .contains("| n1   | 1.00 |")
        .doesNotContain("n2")
        .contains("only showing top 2 of 5 rows");
  }

  @Test
  void longCellsAreCutUnlessToldOtherwise() {
    String row = "VALUES ('abcdefghijklmnopqrstuvwxyz', 1)";
    assertThat(print(Map.of(), row)).contains("| abcdefghijklmnopq... |");
    assertThat(print(Map.of("truncate", "5"), row)).contains("| ab... |");
    assertThat(print(Map.of("truncate", "false"), row)).contains("| abcdefghijklmnopqrstuvwxyz |");
  }

  @Test
  void aBatchWithoutRowsShowsItsColumns() {
    assertThat(print(Map.of())).contains("Batch: 7").contains("| name | v |");
  }

  @Test
  void optionsAreChecked() {
    assertThatThrownBy(
            () -> connector.validate(Options.of("sink s", Map.of("truncate", "maybe")), ROWS))
        .hasMessageContaining("'truncate'");
  }
}
