package io.tidemill.checkpoint;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What must not change under a checkpoint.
 *
 * @param fingerprint hash that decides
 * @param parts what it was made of, in words, to explain a difference: e.g. {@code operator 1} to
 *     {@code aggregate by k0 VARCHAR: sum(amount)}
 */
public record PlanIdentity(String fingerprint, Map<String, String> parts) {
  public PlanIdentity {
    parts = new TreeMap<>(parts);
  }

  /** Each part that differs, with both sides in words; this is the checkpoint's. */
  public Map<String, String> differences(PlanIdentity job) {
    Map<String, String> found = new LinkedHashMap<>();
    parts.forEach(
        (part, value) -> {
          String now = job.parts.get(part);
          if (now == null) {
            found.put(part, "the checkpoint has '" + value + "', the job has none");
          } else if (!now.equals(value)) {
            found.put(part, "the checkpoint has '" + value + "', the job has '" + now + "'");
          }
        });
    job.parts.forEach(
        (part, value) -> {
          if (!parts.containsKey(part)) {
            found.put(part, "the job has '" + value + "', the checkpoint has none");
          }
        });
    return found;
  }
}
