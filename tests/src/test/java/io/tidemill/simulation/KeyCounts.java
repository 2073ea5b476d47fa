package io.tidemill.simulation;

import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.state.StateFile;
import io.tidemill.protocol.state.StateVersion;
import io.tidemill.storage.Blob;
import java.util.Map;
import java.util.TreeMap;

/** Keyed state of the simulation: a count per key, in files that are JSON objects. */
final class KeyCounts {
  private record Counts(Map<String, Long> counts) {}

  private KeyCounts() {}

  /** The counts of a range of buckets in a version. */
  static Map<String, Long> read(Blob blob, StateVersion version, Buckets range) {
    Map<String, Long> counts = new TreeMap<>();
    for (StateFile file : version.files(range)) {
      byte[] bytes =
          blob.get(file.key())
              .orElseThrow(
                  () ->
                      new TidemillException(ErrorCode.STATE_CORRUPT, "A state file is gone.")
                          .with("key", file.key()));
      Json.read(bytes, Counts.class)
          .counts()
          .forEach(
              (key, count) -> {
                int bucket = Row.bucket(key);
                if (file.buckets().from() <= bucket && bucket < file.buckets().to()) {
                  counts.put(key, count);
                }
              });
    }
    return counts;
  }

  static byte[] bytes(Map<String, Long> counts) {
    return Json.bytes(new Counts(counts));
  }
}
