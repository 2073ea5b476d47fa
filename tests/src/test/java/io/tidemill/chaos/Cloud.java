package io.tidemill.chaos;

import io.tidemill.storage.Locations;
import io.tidemill.storage.fault.FaultSource;
import java.nio.file.Path;

/** Where checkpoints and results of a trial are. Thread-safe. */
interface Cloud extends AutoCloseable {
  /** What a process sees of it. */
  Locations locations(FaultSource process, Path scratch);

  /** Location of the query's checkpoints, as a job names it. */
  String checkpoints();

  /** Location of the results. */
  String results();

  @Override
  void close();
}
