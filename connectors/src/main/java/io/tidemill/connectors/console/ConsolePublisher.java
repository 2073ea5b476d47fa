package io.tidemill.connectors.console;

import io.tidemill.connectors.SinkPublisher;
import io.tidemill.connectors.staged.StagedReader;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.Timeline;
import java.io.PrintStream;
import java.util.List;

/** Prints batches. A batch published again after a crash may be printed again. */
final class ConsolePublisher implements SinkPublisher {
  private static final String RULE = "-".repeat(43);

  private final StagedReader staged;
  private final TextTable table;
  private final long numRows;
  private final PrintStream out;

  ConsolePublisher(StagedReader staged, TextTable table, long numRows, PrintStream out) {
    this.staged = staged;
    this.table = table;
    this.numRows = numRows;
    this.out = out;
  }

  @Override
  public void publish(Timeline timeline, BatchId batch, OutputMode mode, List<Staged> outputs) {
    staged
        .texts(outputs, numRows)
        .ifPresent(rows -> print(batch, rows, StagedReader.count(outputs)));
    staged.published(timeline, batch, outputs);
  }

  private void print(BatchId batch, List<List<String>> rows, long count) {
    StringBuilder text = new StringBuilder();
    text.append(RULE).append('\n').append("Batch: ").append(batch).append('\n');
    text.append(RULE).append('\n').append(table.of(rows));
    if (count > rows.size()) {
      text.append("only showing top ").append(rows.size()).append(" of ").append(count);
      text.append(count == 1 ? " row\n" : " rows\n");
    }
    out.println(text);
    out.flush();
  }

  @Override
  public void close() {
    staged.close();
  }
}
