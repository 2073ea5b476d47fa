package io.tidemill.lambda.job;

import java.util.List;
import java.util.Optional;

/** The jobs of a deployment: SQL files in one folder. Thread-safe. */
public interface JobFolder {
  /** Most jobs in a folder. */
  int JOBS_MAX = 1_000;

  /** Names of the jobs, sorted. */
  List<String> names();

  /** The text of a job, or empty if there is none of that name. */
  Optional<String> text(String name);

  /** Where it is, for people. */
  String location();
}
