package io.tidemill.simulation;

/** The end of a process, without a word. No error of the product: nothing may catch it. */
final class Death extends Error {
  private static final long serialVersionUID = 1L;

  Death() {
    super("the process died", null, false, false);
  }
}
