package io.tidemill.connectors.file;

import io.tidemill.connectors.Options;
import io.tidemill.connectors.Source;
import io.tidemill.connectors.SourceConnector;
import io.tidemill.connectors.SourceLog;
import io.tidemill.connectors.SourceReader;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.storage.ListedBlob;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Sources of files: {@code json}, {@code csv}, {@code parquet} and {@code text}. */
public final class FileSourceConnector implements SourceConnector {
  /** Option that carries the columns found in Parquet files from the plan to the functions. */
  static final String INFERRED_COLUMNS = "inferredColumns";

  private final FileFormat format;
  private final Function<String, ListedBlob> remote;

  /** A connector that knows paths only. */
  public FileSourceConnector(FileFormat format) {
    this(
        format,
        location -> {
          throw new TidemillException(
                  ErrorCode.UNSUPPORTED, "Files of this kind cannot be read: use a local path.")
              .with("location", location);
        });
  }

  /**
   * @param remote opens the root of a location with a scheme, e.g. {@code s3://BUCKET/}; closes
   *     nothing
   */
  public FileSourceConnector(FileFormat format, Function<String, ListedBlob> remote) {
    this.format = format;
    this.remote = remote;
  }

  private FileAccess access(String path) {
    return FileAccess.of(path, remote);
  }

  @Override
  public String name() {
    return format.connector();
  }

  @Override
  public void validate(Options options, Schema declared) {
    access(options.required("path"));
    FileSourceOptions.of(options, format);
    if (format == FileFormat.CSV) {
      CsvDialect.forReading(options);
    }
    if (format == FileFormat.PARQUET) {
      ParquetReader.fillsMissing(options);
    }
  }

  @Override
  public Map<String, String> inferred(Options options, Schema declared) {
    FileSourceOptions read = FileSourceOptions.of(options, format);
    Map<String, String> found = new HashMap<>();
    Optional<FoundFile> first = Optional.empty();
    boolean needsColumns = needsColumns(options, declared);
    if (needsColumns || (read.partitionBy().isEmpty() && !read.pattern().isRecursive())) {
      first =
          access(read.pattern().text()).list(read.pattern()).stream().min(FoundFile.OLDEST_FIRST);
    }
    if (read.partitionBy().isEmpty()) {
      found.put("partitionBy", String.join(",", partitions(read, first)));
    }
    if (needsColumns) {
      FoundFile file =
          first.orElseThrow(
              () ->
                  new TidemillException(
                          ErrorCode.SOURCE_MISSING,
                          "There is no file yet to take the columns from: declare the columns, or"
                              + " put a file there.")
                      .with("path", read.pattern().text()));
      found.put(
          INFERRED_COLUMNS,
          Json.write(
              access(file.path())
                  .withLocal(file.path(), local -> ParquetColumns.of(local.toString()))));
    }
    return found;
  }

  private boolean needsColumns(Options options, Schema declared) {
    return format == FileFormat.PARQUET
        && declared.isEmpty()
        && options.text(INFERRED_COLUMNS).isEmpty();
  }

  private static List<String> partitions(FileSourceOptions read, Optional<FoundFile> first) {
    if (read.pattern().isRecursive()) {
      return List.of(); // Spark 4.2: recursive lookup looks for no partitions.
    }
    return first
        .map(f -> List.copyOf(Partitions.of(read.pattern(), f.path()).keySet()))
        .orElse(read.pattern().partitionNames());
  }

  @Override
  public Schema rawSchema(Options options, Schema declared) {
    return columns(options, declared).raw();
  }

  private FileColumns columns(Options options, Schema declared) {
    boolean complete = options.text("partitionBy").isPresent() && !needsColumns(options, declared);
    Options all = complete ? options : options.with(inferred(options, declared));
    FileSourceOptions read = FileSourceOptions.of(all, format);
    Schema data =
        declared.isEmpty()
            ? all.text(INFERRED_COLUMNS)
                .map(json -> Json.read(json, Schema.class))
                .orElse(Schema.EMPTY)
            : declared;
    return new FileColumns(format, read, data, read.partitionBy().orElse(List.of()));
  }

  @Override
  public Optional<Payload> payload(Options options) {
    if (format == FileFormat.PARQUET) {
      return Optional.empty();
    }
    String column = format == FileFormat.CSV ? FileColumns.FIELDS : FileColumns.VALUE;
    String where = "concat(" + Sql.name(FileColumns.FILE) + ", ':', " + FileColumns.LINE + ")";
    List<String> partitions = columns(options, Schema.EMPTY).partitions();
    return Optional.of(new Payload(format.connector(), column, where, Set.copyOf(partitions)));
  }

  @Override
  public Source open(Options options, Schema declared, SourceLog log) {
    FileColumns columns = columns(options, declared);
    return new FileSource(columns, access(columns.options().pattern().text()), log);
  }

  @Override
  public SourceReader reader(Options options, Schema declared) {
    FileColumns columns = columns(options, declared);
    return new FileReader(columns, access(columns.options().pattern().text()), options);
  }
}
