package io.tidemill.cli;

/** A command that can be asked for stack traces. */
interface Verbose {
  boolean verbose();
}
