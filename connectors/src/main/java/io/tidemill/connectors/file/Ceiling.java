package io.tidemill.connectors.file;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.source.SourcePosition;
import java.util.List;

/**
 * What a listing found, as the position "latest". The files themselves stay with the source that
 * listed them.
 *
 * @param listing number of the listing, counted by the source instance
 * @param newest modification time of the newest file, milliseconds since the epoch
 * @param files how many files
 */
record Ceiling(long listing, long newest, long files) {
  static Ceiling of(long listing, List<FoundFile> files) {
    long newest = files.stream().mapToLong(FoundFile::modifiedMillis).max().orElse(0);
    return new Ceiling(listing, newest, files.size());
  }

  /** True if the JSON is a ceiling, false if it is a plain position. */
  static boolean isCeiling(SourcePosition position) {
    JsonNode json = position.json();
    return json.isObject() && json.has("listing");
  }

  static Ceiling of(SourcePosition position) {
    return Json.read(position.json().toString(), Ceiling.class);
  }

  SourcePosition position() {
    return new SourcePosition(Json.tree(this));
  }
}
