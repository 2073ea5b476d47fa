package io.tidemill.chaos;

/** A process that is dead does nothing more to the world outside. */
final class Death extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Death() {
    super("the process is dead", null, false, false);
  }
}
