package io.tidemill.golden;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

/**
 * A job over a folder of files, and the folder.
 *
 * @param columns of its stream, with the watermark
 * @param mode output mode
 * @param select its query
 */
record Job(Path directory, String columns, String mode, String select) {
  private static final Instant FIRST_FILE = Instant.parse("2026-03-01T00:00:00Z");

  /** A watermark ten seconds behind the column {@code ts}, as all traces have it. */
  static final String WATERMARK = "WATERMARK FOR ts AS ts - INTERVAL 10 SECONDS";

  /** The job file, with one file per batch. */
  String text(String sink) {
    return """
        CREATE STREAM events (%s) WITH (
          connector = 'csv', path = '%s', maxFilesPerTrigger = '1');
        CREATE SINK result WITH (%s, mode = '%s');
        INSERT INTO result
        %s;
        """
        .formatted(columns, input(), sink, mode, select);
  }

  /** Puts a file into the folder, a second newer than the one before it. */
  void add(int number, String content) throws IOException {
    Path file = directory.resolve("%04d.csv".formatted(number));
    Files.writeString(file, Times.full(content) + "\n");
    Files.setLastModifiedTime(file, FileTime.from(FIRST_FILE.plusSeconds(number)));
    Files.move(file, Files.createDirectories(input()).resolve(file.getFileName()));
  }

  private Path input() {
    return directory.resolve("in");
  }
}
