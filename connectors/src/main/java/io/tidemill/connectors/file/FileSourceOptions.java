package io.tidemill.connectors.file;

import io.tidemill.connectors.Options;
import io.tidemill.storage.Locations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The options of a file source, read and checked. Names and meanings are Spark's where Spark has
 * them (reference 2.1).
 *
 * @param maxFiles most files in a batch
 * @param maxBytes about how many bytes in a batch; one file at least
 * @param maxFileAge how much older than the newest file read a file may be
 * @param archiveDirectory where read files go, for {@link Clean#ARCHIVE}
 * @param partitionBy partition columns if given or inferred, in order of the directories
 */
record FileSourceOptions(
    FilePattern pattern,
    OptionalLong maxFiles,
    OptionalLong maxBytes,
    boolean latestFirst,
    Duration maxFileAge,
    boolean fileNameOnly,
    Clean cleanSource,
    Optional<String> archiveDirectory,
    boolean ignoreMissingFiles,
    Optional<List<String>> partitionBy,
    boolean multiLine) {

  /** What happens to a file whose batch is committed. */
  enum Clean {
    OFF,
    ARCHIVE,
    DELETE
  }

  private static final Duration MAX_FILE_AGE = Duration.ofDays(7);

  private static final List<String> KNOWN =
      List.of(
          "path",
          "maxFilesPerTrigger",
          "maxBytesPerTrigger",
          "latestFirst",
          "maxFileAge",
          "fileNameOnly",
          "cleanSource",
          "sourceArchiveDir",
          "pathGlobFilter",
          "recursiveFileLookup",
          "ignoreMissingFiles",
          "partitionBy",
          "format",
          "malformed",
          "deadLetter",
          FileSourceConnector.INFERRED_COLUMNS);

  static FileSourceOptions of(Options options, FileFormat format) {
    List<String> known = new ArrayList<>(KNOWN);
    known.addAll(format.readOptions());
    options.check(known);
    options.oneOf("format", format.connector(), List.of(format.connector()));
    OptionalLong maxFiles = options.number("maxFilesPerTrigger", 1);
    OptionalLong maxBytes = options.number("maxBytesPerTrigger", 1);
    if (maxFiles.isPresent() && maxBytes.isPresent()) {
      throw options.invalid(
          "maxBytesPerTrigger", "not both of maxFilesPerTrigger and maxBytesPerTrigger");
    }
    boolean recursive = options.flag("recursiveFileLookup", false);
    FilePattern pattern =
        new FilePattern(options.required("path"), options.text("pathGlobFilter"), recursive);
    Clean clean =
        Clean.valueOf(
            options
                .oneOf("cleanSource", "off", List.of("off", "archive", "delete"))
                .toUpperCase(java.util.Locale.ROOT));
    Optional<String> archive = options.text("sourceArchiveDir");
    checkArchive(options, pattern, clean, archive);
    return new FileSourceOptions(
        pattern,
        maxFiles,
        maxBytes,
        options.flag("latestFirst", false),
        options.duration("maxFileAge").orElse(MAX_FILE_AGE),
        options.flag("fileNameOnly", false),
        clean,
        archive,
        options.flag("ignoreMissingFiles", false),
        options.text("partitionBy").map(FileSourceOptions::names),
        format.readOptions().contains("multiLine") && options.flag("multiLine", false));
  }

  private static void checkArchive(
      Options options, FilePattern pattern, Clean clean, Optional<String> archive) {
    if (clean != Clean.ARCHIVE) {
      return;
    }
    String given = options.required("sourceArchiveDir");
    if (!FilePattern.root(given).equals(FilePattern.root(pattern.text()))) {
      throw options.invalid(
          "sourceArchiveDir", "a directory of the same disk or bucket as the path");
    }
    boolean inside =
        FilePattern.root(given).isPresent()
            ? (given + "/").startsWith(pattern.base() + "/")
            : Locations.path(given).toAbsolutePath().normalize().startsWith(pattern.base());
    if (archive.isPresent() && inside) {
      throw options.invalid(
          "sourceArchiveDir", "a directory outside of the path, or archived files are read again");
    }
  }

  /** Names of a comma list; none for the empty text. */
  static List<String> names(String list) {
    return Arrays.stream(list.split(",")).map(String::trim).filter(n -> !n.isEmpty()).toList();
  }

  /** True if files older than the newest minus {@link #maxFileAge} are left out (Spark 4.2). */
  boolean agesOut() {
    return !(latestFirst && (maxFiles.isPresent() || maxBytes.isPresent()));
  }
}
