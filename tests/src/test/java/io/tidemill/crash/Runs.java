package io.tidemill.crash;

import io.tidemill.process.Command;
import io.tidemill.process.CommandRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The runs of one query: its job, its checkpoint and its outputs. */
final class Runs {
  private static final Duration END_WITHIN = Duration.ofMinutes(5);

  private final Command command;
  private final String servers;
  private final String topic;
  private final Path job;
  private final Path directory;
  private final String name;

  /**
   * @param name tells this query from the other that reads the same topic
   * @param directory for all that it writes
   */
  Runs(Command command, String servers, String topic, String name, Target target, Path directory)
      throws IOException {
    this.command = command;
    this.servers = servers;
    this.topic = topic;
    this.name = name;
    this.directory = Files.createDirectories(directory);
    this.job = directory.resolve("job.sql");
    try (InputStream text = Runs.class.getResourceAsStream("/crash/" + target.job())) {
      Files.copy(text, job);
    }
  }

  String name() {
    return name;
  }

  /** A name that no other query has; also that of the topic it writes to, if it does. */
  String query() {
    return topic + "-" + name;
  }

  Path output() {
    return directory.resolve("out");
  }

  /** Folder of the query's own checkpoint; a job's has one per query. */
  Path checkpoint() {
    return directory.resolve("checkpoint").resolve("revenue");
  }

  /**
   * Starts a run.
   *
   * @param trigger {@code default} to go on for ever, {@code available-now} to end
   */
  CommandRun start(String trigger, long batchRecords) throws IOException {
    return command.run(
        List.of(
            "run",
            job.toString(),
            "--trigger",
            trigger,
            "--checkpoint",
            directory.resolve("checkpoint").toString(),
            "--set",
            "SERVERS=" + servers,
            "--set",
            "TOPIC=" + topic,
            "--set",
            "BATCH_RECORDS=" + batchRecords,
            "--set",
            "RESULT_TOPIC=" + query(),
            "--set",
            "OUT=" + output()));
  }

  /** Runs until all that is there is done. */
  void finish(long batchRecords) throws IOException, InterruptedException {
    try (CommandRun run = start("available-now", batchRecords)) {
      int code = run.awaitEnd(END_WITHIN);
      if (code != 0) {
        throw new IllegalStateException("A run ended with " + code + ":\n" + run.output());
      }
    }
  }
}
