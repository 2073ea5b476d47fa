package io.tidemill.cli;

import java.io.PrintStream;
import java.util.Locale;

/** A line per batch, for logs and pipes. */
final class LineDisplay implements ProgressDisplay {
  private final PrintStream out;

  LineDisplay(PrintStream out) {
    this.out = out;
  }

  @Override
  public synchronized void batch(BatchView batch) {
    out.println(text(batch));
  }

  /** The batch in one line. */
  static String text(BatchView batch) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%s batch %d: %,d rows, %,.0f rows/s, lag %,d",
            batch.query(),
            batch.batch(),
            batch.inputRows(),
            batch.rowsPerSecond(),
            batch.lag()));
    batch.watermark().ifPresent(watermark -> text.append(", watermark ").append(watermark));
    text.append(
        String.format(Locale.ROOT, ", state %,d, out %,d", batch.stateRows(), batch.outputRows()));
    if (batch.malformed() > 0) {
      text.append(String.format(Locale.ROOT, ", malformed %,d", batch.malformed()));
    }
    if (batch.late() > 0) {
      text.append(String.format(Locale.ROOT, ", late %,d", batch.late()));
    }
    return text.toString();
  }

  @Override
  public synchronized void step(String what, long done, long total) {
    if (done >= total) {
      out.println(String.format(Locale.ROOT, "%s: %,d", what, done));
    }
  }

  @Override
  public synchronized void say(String text) {
    out.println(text);
  }

  @Override
  public void close() {
    out.flush();
  }
}
