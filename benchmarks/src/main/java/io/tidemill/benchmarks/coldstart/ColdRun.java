package io.tidemill.benchmarks.coldstart;

/**
 * What one cold trigger came to.
 *
 * @param rows records read
 * @param functionSeconds start of the batch function's process to its task result; with more tasks,
 *     the sum
 * @param batchSeconds trigger to the answer that the batch is committed, with both processes
 *     started in between
 */
record ColdRun(long rows, double functionSeconds, double batchSeconds) {}
