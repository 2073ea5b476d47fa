package io.tidemill.connectors.file;

import io.tidemill.connectors.Options;
import io.tidemill.connectors.SourceReader;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.source.SourceSplit;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.ZipException;
import org.duckdb.DuckDBConnection;

/** Reads splits of files into a table, file by file. */
final class FileReader implements SourceReader {
  private final FileColumns columns;
  private final FileAccess access;
  private final Options options;
  private long placed;

  FileReader(FileColumns columns, FileAccess access, Options options) {
    this.columns = columns;
    this.access = access;
    this.options = options;
  }

  @Override
  public Map<String, Long> read(
      List<SourceSplit> splits,
      DuckDBConnection db,
      String table,
      Set<String> names,
      Path scratch) {
    List<Column> wanted =
        columns.raw().columns().stream()
            .filter(c -> names.stream().anyMatch(c.name()::equalsIgnoreCase))
            .toList();
    List<FileSplit.Part> parts =
        splits.stream().flatMap(s -> FileSplit.of(s).files().stream()).toList();
    Map<String, Long> counts = new TreeMap<>(Map.of("files", 0L, "bytes", 0L));
    if (columns.format() == FileFormat.PARQUET) {
      ParquetReader parquet = new ParquetReader(columns, options);
      for (FileSplit.Part part : parts) {
        // A name of its own for each, for DuckDB may keep what it has read of a name.
        String name = "input-" + placed++ + ".parquet";
        Optional<Path> local = access.place(part.path(), scratch, name);
        if (isThere(local.isPresent(), part, counts)) {
          parquet.read(part, local.get(), db, table, wanted);
          remove(local.get());
        }
      }
    } else {
      readLines(parts, new RowAppender(columns, db, table, wanted), counts);
    }
    return counts;
  }

  private void readLines(
      List<FileSplit.Part> parts, RowAppender appender, Map<String, Long> counts) {
    RecordReader records =
        columns.format() == FileFormat.CSV
            ? new CsvReader(columns, CsvDialect.forReading(options))
            : new LineReader(columns);
    try (appender) {
      for (FileSplit.Part part : parts) {
        Optional<InputStream> raw = access.open(part.path());
        if (isThere(raw.isPresent(), part, counts)) {
          appender.file(part);
          readFile(records, raw.get(), part, appender);
        }
      }
    }
  }

  private static void readFile(
      RecordReader records, InputStream raw, FileSplit.Part part, RowAppender appender) {
    try (raw;
        InputStream unpacked = LineReader.unpacked(raw, part.path())) {
      records.read(unpacked, part, appender);
    } catch (ZipException | EOFException e) {
      throw new TidemillException(
              ErrorCode.MALFORMED_RECORD, "A compressed file is damaged or incomplete.", e)
          .with("file", part.path());
    } catch (IOException e) {
      throw new TidemillException(
              ErrorCode.SOURCE_UNAVAILABLE, "A file could not be read to its end.", e)
          .with("file", part.path());
    }
  }

  private boolean isThere(boolean found, FileSplit.Part part, Map<String, Long> counts) {
    if (found) {
      counts.merge("files", 1L, Long::sum);
      counts.merge("bytes", part.size(), Long::sum);
      return true;
    }
    if (!options.flag("ignoreMissingFiles", false)) {
      throw new TidemillException(
              ErrorCode.DATA_LOSS,
              "A file that was planned to be read is gone: put it back, or set ignoreMissingFiles ="
                  + " 'true' to go on without it.")
          .with("file", part.path());
    }
    counts.merge("filesMissing", 1L, Long::sum);
    return false;
  }

  private static void remove(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new TidemillException(
              ErrorCode.STORAGE_UNAVAILABLE, "A scratch file could not be removed.", e)
          .with("file", file);
    }
  }

  @Override
  public void close() {}
}
