package io.tidemill.benchmarks.harness;

/**
 * A line that a process printed on standard output.
 *
 * @param nanos time from the start of the process to when the line was read
 * @param text the line
 */
public record TimedLine(long nanos, String text) {}
