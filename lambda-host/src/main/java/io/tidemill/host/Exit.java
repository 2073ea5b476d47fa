package io.tidemill.host;

/**
 * How a process ended.
 *
 * @param message in Lambda's words
 */
record Exit(String message) {
  /** Where signals begin among the values that Java has for ends of processes. */
  private static final int SIGNALS = 128;

  static final Exit KILLED = of(SIGNALS + 9);

  /**
   * Reads what Java says.
   *
   * @param value the status the process gave, or 128 and the signal that ended it
   */
  static Exit of(int value) {
    if (value == 0) {
      return new Exit("Error: Runtime exited without providing a reason");
    }
    String how =
        switch (value - SIGNALS) {
          case 4 -> "signal: illegal instruction";
          case 6 -> "signal: aborted";
          case 7 -> "signal: bus error";
          case 9 -> "signal: killed";
          case 11 -> "signal: segmentation fault";
          case 15 -> "signal: terminated";
          default -> "exit status " + value;
        };
    return new Exit("Error: Runtime exited with error: " + how);
  }
}
