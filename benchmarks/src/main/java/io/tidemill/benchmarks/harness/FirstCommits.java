package io.tidemill.benchmarks.harness;

import java.nio.file.Path;

/**
 * How soon a contender committed.
 *
 * @param seconds process start to the report of the first committed batch with rows
 * @param output where the last run's result is
 */
public record FirstCommits(Spread seconds, Path output) {}
