package io.tidemill.aws.local;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads events of the batch function. */
final class TaskEvents {
  /** A stored request lies under the path of its task: timeline, then batch. */
  private static final Pattern STORED = Pattern.compile("shuffle/[^/]+/(\\d+)/.*");

  private TaskEvents() {}

  /** The batch that a task belongs to. */
  static long batch(JsonNode event) {
    JsonNode batch = event.path("request").path("task").path("batch");
    if (batch.isIntegralNumber()) {
      return batch.longValue();
    }
    Matcher key = STORED.matcher(event.path("stored").path("key").asText());
    if (key.matches()) {
      return Long.parseLong(key.group(1));
    }
    throw new TidemillException(ErrorCode.INTERNAL, "An event of the batch function has no batch.");
  }
}
