package io.tidemill.cli;

import java.io.PrintStream;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** One line with a bar, written over and over. */
final class TerminalDisplay implements ProgressDisplay {
  private static final String CLEAR_LINE = "\r\u001b[2K";
  private static final int BAR_COLUMNS = 20;

  private final PrintStream out;
  private final int columns;
  private final Map<String, Long> read = new HashMap<>();
  private boolean drawn;

  /**
   * @param out the terminal
   * @param columns its width
   */
  TerminalDisplay(PrintStream out, int columns) {
    this.out = out;
    this.columns = columns;
  }

  @Override
  public synchronized void batch(BatchView batch) {
    long done = read.merge(batch.query(), batch.inputRows(), Long::sum);
    String watermark = batch.watermark().map(w -> "  watermark " + w).orElse("");
    draw(
        String.format(
            Locale.ROOT,
            "%s %s batch %d  %,.0f rows/s  lag %,d%s  state %,d",
            bar(done, done + batch.lag()),
            batch.query(),
            batch.batch(),
            batch.rowsPerSecond(),
            batch.lag(),
            watermark,
            batch.stateRows()));
  }

  @Override
  public synchronized void step(String what, long done, long total) {
    draw(String.format(Locale.ROOT, "%s %s %,d", bar(done, total), what, done));
  }

  @Override
  public synchronized void say(String text) {
    erase();
    out.println(text);
    out.flush();
  }

  @Override
  public synchronized void close() {
    erase();
    out.flush();
  }

  private static String bar(long done, long total) {
    double share = total <= 0 ? 1 : Math.min(1, (double) done / total);
    int full = (int) (share * BAR_COLUMNS);
    return String.format(
        Locale.ROOT,
        "[%s%s] %3.0f %%",
        "=".repeat(full),
        " ".repeat(BAR_COLUMNS - full),
        Math.floor(share * 100));
  }

  /** A line as wide as the terminal would wrap, and could not be written over. */
  private void draw(String line) {
    out.print(CLEAR_LINE + line.substring(0, Math.min(line.length(), columns - 1)));
    out.flush();
    drawn = true;
  }

  private void erase() {
    if (drawn) {
      out.print(CLEAR_LINE);
      drawn = false;
    }
  }
}
