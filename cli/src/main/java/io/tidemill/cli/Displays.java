package io.tidemill.cli;

import java.io.PrintStream;

/** Chooses how progress is shown. */
final class Displays {
  private static final String COLUMNS = "tidemill.terminal.columns";
  private static final int COLUMNS_MIN = 20;

  private Displays() {}

  /** A bar if standard error is a terminal, as the launcher has found out; else lines. */
  static ProgressDisplay onStandardError() {
    PrintStream out = System.err;
    int columns = Integer.getInteger(COLUMNS, 0);
    return columns >= COLUMNS_MIN ? new TerminalDisplay(out, columns) : new LineDisplay(out);
  }
}
