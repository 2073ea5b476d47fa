package io.tidemill.golden;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.process.Outcome;
import io.tidemill.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A query that the command runs once per step, until its trigger is done. Each row of a step is a
 * file, and the result is files too.
 */
final class CommandRuns implements Steps {
  private final Job job;
  private final String trigger;
  private int files;

  CommandRuns(Job job, String trigger) throws IOException {
    this.job = job;
    this.trigger = trigger;
    Files.createDirectories(job.directory().resolve("in"));
    Files.writeString(
        job.directory().resolve("job.sql"), job.text("connector = 'csv', path = '" + out() + "'"));
  }

  private Path out() {
    return job.directory().resolve("out");
  }

  @Override
  public List<Batch> step(List<String> input) throws IOException {
    for (String row : input) {
      job.add(files++, row);
    }
    Outcome outcome =
        Outcome.of(
            "run",
            job.directory().resolve("job.sql").toString(),
            "--trigger",
            trigger,
            "--checkpoint",
            job.directory().resolve("checkpoint").toString(),
            "--json");
    if (outcome.code() != 0) {
      throw new AssertionError(outcome.all());
    }
    List<Batch> batches = new ArrayList<>();
    for (String line : outcome.output().lines().toList()) {
      JsonNode progress = Json.read(line, JsonNode.class);
      batches.add(Batch.of(progress, output(progress.path("batchId").asLong())));
    }
    return batches;
  }

  /** The rows of the files that a batch has written, which have its number in their names. */
  private List<String> output(long batch) throws IOException {
    if (!Files.exists(out())) {
      return List.of();
    }
    String number = String.format(Locale.ROOT, "-%010d-", batch);
    try (Stream<Path> found = Files.list(out())) {
      List<String> rows = new ArrayList<>();
      for (Path file : found.filter(f -> f.getFileName().toString().contains(number)).toList()) {
        for (String row : Files.readAllLines(file)) {
          rows.add(Times.shortened(row.replace(",", " ")));
        }
      }
      return rows;
    }
  }

  @Override
  public void close() {}
}
