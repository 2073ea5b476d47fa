package io.tidemill.api;

/** What of a result goes out in a batch, under Spark's names. */
@SuppressWarnings("MemberName") // Spark's names
public final class OutputMode {
  private final io.tidemill.protocol.OutputMode mode;

  private OutputMode(io.tidemill.protocol.OutputMode mode) {
    this.mode = mode;
  }

  /** Rows that are final. */
  public static OutputMode Append() {
    return new OutputMode(io.tidemill.protocol.OutputMode.APPEND);
  }

  /** Rows that changed. */
  public static OutputMode Update() {
    return new OutputMode(io.tidemill.protocol.OutputMode.UPDATE);
  }

  /** All rows, each time. */
  public static OutputMode Complete() {
    return new OutputMode(io.tidemill.protocol.OutputMode.COMPLETE);
  }

  String text() {
    return mode.text();
  }
}
