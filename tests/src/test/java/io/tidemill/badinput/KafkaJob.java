package io.tidemill.badinput;

import io.tidemill.process.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Copies orders from a topic to Parquet files. */
final class KafkaJob {
  private static final String TEXT =
      """
      CREATE STREAM orders (customer_id VARCHAR NOT NULL, amount DECIMAL(18,2) NOT NULL) WITH (
        connector = 'kafka',
        'kafka.bootstrap.servers' = '${SERVERS}',
        subscribe = 'orders',
        startingOffsets = 'earliest',
        maxOffsetsPerTrigger = '2',
        format = 'json'
      );
      CREATE SINK copies WITH (connector = 'parquet', path = '${DIR}/out');
      SET checkpoint = '${DIR}/checkpoint';
      INSERT INTO copies SELECT customer_id, amount FROM orders;
      """;

  private final Path directory;
  private final String servers;
  private String text = TEXT;

  KafkaJob(Path directory, String servers) {
    this.directory = directory;
    this.servers = servers;
  }

  /** Replaces a part of the job's text. */
  KafkaJob with(String part, String replacement) {
    if (!text.contains(part)) {
      throw new IllegalArgumentException(part);
    }
    text = text.replace(part, replacement);
    return this;
  }

  List<String> arguments(String command) {
    try {
      Files.writeString(directory.resolve("job.sql"), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<String> arguments = new ArrayList<>();
    arguments.add(command);
    arguments.addAll(
        List.of(
            directory.resolve("job.sql").toString(),
            "--trigger",
            "available-now",
            "--set",
            "DIR=" + directory,
            "--set",
            "SERVERS=" + servers));
    return arguments;
  }

  /** Runs what there is, in this process. */
  Outcome run() {
    return Outcome.of(arguments("run").toArray(String[]::new));
  }
}
