package io.tidemill.connectors.file;

import io.tidemill.connectors.Options;
import io.tidemill.connectors.types.SqlType;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The options of a file sink, read and checked against the columns written.
 *
 * @param path location of the target
 * @param rows the columns written
 * @param partitionBy columns that become directories, in order; spelled as in {@code rows}
 * @param compression DuckDB's name of the codec
 * @param maxRowsPerFile more rows of a task make more files
 */
record FileSinkOptions(
    FileFormat format,
    String path,
    Schema rows,
    List<String> partitionBy,
    String compression,
    OptionalLong maxRowsPerFile,
    Optional<CsvDialect> csv) {
  private static final List<String> KNOWN =
      List.of("path", "partitionBy", "compression", "maxRowsPerFile", "mode");

  static FileSinkOptions of(Options options, Schema rows, FileFormat format) {
    List<String> known = new ArrayList<>(KNOWN);
    known.addAll(format.writeOptions());
    options.check(known);
    boolean parquet = format == FileFormat.PARQUET;
    List<String> codecs =
        parquet
            ? List.of("snappy", "none", "uncompressed", "gzip", "zstd", "brotli", "lz4")
            : List.of("none", "uncompressed", "gzip");
    String codec = options.oneOf("compression", parquet ? "snappy" : "none", codecs);
    String plain = parquet ? "uncompressed" : "none";
    FileSinkOptions read =
        new FileSinkOptions(
            format,
            options.required("path"),
            rows,
            partitions(options, rows),
            codec.equals("none") || codec.equals("uncompressed") ? plain : codec,
            options.number("maxRowsPerFile", 1),
            format == FileFormat.CSV
                ? Optional.of(CsvDialect.forWriting(options))
                : Optional.empty());
    read.checkTypes();
    return read;
  }

  private static List<String> partitions(Options options, Schema rows) {
    List<String> columns = new ArrayList<>();
    for (String name : FileSourceOptions.names(options.text("partitionBy", ""))) {
      Column column =
          rows.find(name)
              .orElseThrow(
                  () ->
                      new TidemillException(
                              ErrorCode.UNKNOWN_NAME,
                              "A column to partition by is not among the columns written."
                                  + Nearest.hint(name, rows.names()))
                          .with("column", name)
                          .with("for", options.owner()));
      if (columns.contains(column.name())) {
        throw options.invalid("partitionBy", "each column once");
      }
      columns.add(column.name());
    }
    if (!columns.isEmpty() && columns.size() == rows.columns().size()) {
      throw options.invalid("partitionBy", "not all columns, or nothing is left for the files");
    }
    return List.copyOf(columns);
  }

  private void checkTypes() {
    for (Column column : rows.columns()) {
      boolean nested = SqlType.parse(column.type()).kind().isNested();
      if (nested && (format == FileFormat.CSV || partitionBy.contains(column.name()))) {
        throw new TidemillException(
                ErrorCode.UNSUPPORTED,
                "A nested column can be written neither to CSV nor as a directory: write json or"
                    + " parquet, or select its parts.")
            .with("column", column.name())
            .with("type", column.type());
      }
    }
  }

  /** Columns in the files. */
  List<Column> inFiles() {
    return rows.columns().stream().filter(c -> !partitionBy.contains(c.name())).toList();
  }

  /** What file names end in. */
  String extension() {
    String base = format.connector();
    return format != FileFormat.PARQUET && compression.equals("gzip") ? base + ".gz" : base;
  }
}
