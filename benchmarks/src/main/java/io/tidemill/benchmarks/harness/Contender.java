package io.tidemill.benchmarks.harness;

import java.nio.file.Path;
import java.util.List;

/**
 * An engine, with the settings it runs with, that can run jobs of one kind as a process.
 *
 * @param <J> the kind of job
 */
public interface Contender<J> {
  /** Name for the tables, e.g. {@code spark-rocksdb}. */
  String name();

  /**
   * The command that runs the job. It prints one progress object per batch on standard output and
   * ends with exit code 0 when everything is read.
   *
   * @param directory the run's own: results go to {@code out} below it, checkpoints to {@code
   *     checkpoint}
   */
  List<String> command(J job, Path directory);
}
