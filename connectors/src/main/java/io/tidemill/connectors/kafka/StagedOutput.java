package io.tidemill.connectors.kafka;

import java.util.List;
import java.util.Optional;

/**
 * What one task staged: its rows themselves, or the key of a Parquet file with them.
 *
 * @param rows number of rows
 * @param checksum of the file, 0 without one
 */
record StagedOutput(long rows, List<StagedRow> inline, Optional<String> file, long checksum) {
  static StagedOutput inline(List<StagedRow> rows) {
    return new StagedOutput(rows.size(), rows, Optional.empty(), 0);
  }

  static StagedOutput file(String key, long rows, long checksum) {
    return new StagedOutput(rows, List.of(), Optional.of(key), checksum);
  }
}
