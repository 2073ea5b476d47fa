package io.tidemill.connectors.file;

import java.util.List;
import java.util.Locale;

/** The formats of files, named like their connectors. */
public enum FileFormat {
  JSON,
  CSV,
  PARQUET,
  TEXT;

  String connector() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Options for reading this format, beside those of all file sources. */
  List<String> readOptions() {
    return switch (this) {
      case JSON -> List.of("multiLine");
      case CSV ->
          List.of(
              "header", "sep", "delimiter", "quote", "escape", "comment", "nullValue", "multiLine");
      case PARQUET -> List.of("missingColumns");
      case TEXT -> List.of();
    };
  }

  /** Options for writing this format, beside those of all file sinks. */
  List<String> writeOptions() {
    return this == CSV
        ? List.of("header", "sep", "delimiter", "quote", "escape", "nullValue")
        : List.of();
  }
}
