package io.tidemill.cli;

import java.nio.file.Path;
import java.util.Optional;

/** Where a job is written. */
sealed interface JobSource {

  /**
   * In SQL.
   *
   * @param location a path, or {@code s3://BUCKET/KEY}
   */
  record SqlFile(String location) implements JobSource {}

  /**
   * In Java.
   *
   * @param className full name of the job's class; empty for the only job of the jar
   */
  record ProgramJar(Path path, Optional<String> className) implements JobSource {}
}
