package io.tidemill.connectors.file;

import io.tidemill.connectors.Options;
import io.tidemill.connectors.Source;
import io.tidemill.connectors.SourceReader;
import io.tidemill.connectors.testing.NotesInMemory;
import io.tidemill.connectors.testing.ScratchDatabase;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.source.SourcePosition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Runs batches of a file source as an orchestrator and a function would. */
final class FileSourceHarness {
  static final long T0 = 1_700_000_000_000L;

  final NotesInMemory log = new NotesInMemory();
  private final Path scratch;
  private final FileSourceConnector connector;
  private final Options options;
  private final Schema declared;
  private Source source;
  SourcePosition position;

  FileSourceHarness(Path scratch, FileFormat format, Schema declared, Map<String, String> options) {
    this.scratch = scratch;
    this.connector = new FileSourceConnector(format);
    Options written = Options.of("stream s", new TreeMap<>(options));
    connector.validate(written, declared);
    this.options = written.with(connector.inferred(written, declared));
    this.declared = declared;
    restart();
    position = source.initial();
  }

  void restart() {
    source = connector.open(options, declared, log);
  }

  Source source() {
    return source;
  }

  Schema rawSchema() {
    return connector.rawSchema(options, declared);
  }

  /** Plans and commits a batch; names of its files. */
  List<String> batch() {
    return batch(source.latest(position), true);
  }

  List<String> batch(SourcePosition ceiling, boolean limits) {
    Source.Range range = source.plan(position, ceiling, limits, 0);
    position = range.end();
    source.committed(position);
    return names(range);
  }

  static List<String> names(Source.Range range) {
    List<String> names = new ArrayList<>();
    range
        .splits()
        .forEach(
            s ->
                FileSplit.of(s)
                    .files()
                    .forEach(f -> names.add(Path.of(f.path()).getFileName().toString())));
    return names;
  }

  /** Rows of the next batch, selected by SQL over table t; the position moves. */
  List<String> rows(String sql) {
    return rows(sql, new LinkedHashSet<>(rawSchema().names()));
  }

  List<String> rows(String sql, Set<String> columns) {
    Source.Range range = source.plan(position, source.latest(position), true, 0);
    List<String> rows = read(range, sql, columns);
    position = range.end();
    return rows;
  }

  List<String> read(Source.Range range, String sql, Set<String> columns) {
    List<Column> wanted =
        rawSchema().columns().stream().filter(c -> columns.contains(c.name())).toList();
    try (ScratchDatabase db = new ScratchDatabase(scratch);
        SourceReader reader = connector.reader(options, declared)) {
      db.create("t", new Schema(wanted));
      reader.read(range.splits(), db.connection(), "t", columns, scratch);
      return db.rows(sql);
    }
  }

  /** Writes a file that was last modified so many seconds after {@link #T0}. */
  static Path write(Path file, String text, long second) {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
      return modified(file, second);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Path modified(Path file, long second) {
    try {
      return Files.setLastModifiedTime(file, FileTime.fromMillis(T0 + second * 1000));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
