package io.tidemill.connectors.console;

import io.tidemill.connectors.Options;
import io.tidemill.connectors.SinkConnector;
import io.tidemill.connectors.SinkContext;
import io.tidemill.connectors.SinkPublisher;
import io.tidemill.connectors.SinkWriter;
import io.tidemill.connectors.staged.StagedReader;
import io.tidemill.connectors.staged.StagedWriter;
import io.tidemill.protocol.Guarantee;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.schema.Schema;
import java.io.PrintStream;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The sink {@code console}: prints the first rows of each batch as a table. */
public final class ConsoleSinkConnector implements SinkConnector {
  private static final int NUM_ROWS = 20;

  /** Characters of a cell if {@code truncate} is just true (Spark 4.2). */
  private static final int TRUNCATE_CHARACTERS = 20;

  private final PrintStream out;

  /**
   * @param out where tables go; left open
   */
  public ConsoleSinkConnector(PrintStream out) {
    this.out = out;
  }

  @Override
  public String name() {
    return "console";
  }

  @Override
  public void validate(Options options, Schema rows) {
    options.check(List.of("numRows", "truncate", "mode"));
    numRows(options);
    cellCharactersMax(options);
  }

  private static long numRows(Options options) {
    return options.number("numRows", 0).orElse(NUM_ROWS);
  }

  /** Most characters of a cell: 20 for true, no limit for false and 0, or a number. */
  private static int cellCharactersMax(Options options) {
    return switch (options.text("truncate", "true").toLowerCase(Locale.ROOT)) {
      case "true" -> TRUNCATE_CHARACTERS;
      case "false" -> Integer.MAX_VALUE;
      default -> {
        long number = options.number("truncate", 0).orElseThrow();
        yield number == 0 ? Integer.MAX_VALUE : (int) Math.min(number, Integer.MAX_VALUE);
      }
    };
  }

  @Override
  public Set<OutputMode> modes() {
    return EnumSet.allOf(OutputMode.class);
  }

  @Override
  public Guarantee guarantee(Options options) {
    return Guarantee.AT_LEAST_ONCE;
  }

  @Override
  public SinkWriter writer(Options options, Schema rows, SinkContext context) {
    return new StagedWriter(context.checkpoint(), options.owner(), rows);
  }

  @Override
  public SinkPublisher publisher(Options options, Schema rows, SinkContext context) {
    return new ConsolePublisher(
        new StagedReader(context.checkpoint(), options.owner(), rows),
        new TextTable(rows, cellCharactersMax(options)),
        numRows(options),
        out);
  }
}
