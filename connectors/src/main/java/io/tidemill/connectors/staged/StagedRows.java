package io.tidemill.connectors.staged;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.Json;
import java.util.Optional;

/**
 * Where a task's rows are, as a task's output.
 *
 * @param rows how many
 * @param parquet the file itself in Base64, or
 * @param key its key in the checkpoint
 */
record StagedRows(long rows, Optional<String> parquet, Optional<String> key) {
  StagedRows {
    if (parquet.isPresent() == key.isPresent()) {
      throw new IllegalArgumentException("rows are staged either inline or under a key");
    }
  }

  static StagedRows of(JsonNode output) {
    return Json.read(output.toString(), StagedRows.class);
  }
}
