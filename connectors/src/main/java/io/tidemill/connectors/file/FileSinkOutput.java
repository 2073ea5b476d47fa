package io.tidemill.connectors.file;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.Json;
import java.util.List;

/** The files a task staged, as a task's output. */
record FileSinkOutput(List<Staged> files) {
  FileSinkOutput {
    files = List.copyOf(files);
  }

  /**
   * @param staged key of the staged file below the target
   * @param name key it is to be published under
   */
  record Staged(String staged, String name, long rows, long bytes) {}

  static FileSinkOutput of(JsonNode output) {
    return Json.read(output.toString(), FileSinkOutput.class);
  }
}
