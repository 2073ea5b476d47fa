package io.tidemill.checkpoint;

import io.tidemill.protocol.Buckets;

/**
 * Settings that every run of a query must share.
 *
 * @param buckets buckets that keys hash to
 * @param watermarkPolicy {@code min} or {@code max} over several inputs
 */
public record SharedSettings(int buckets, String watermarkPolicy) {
  public SharedSettings {
    if (!watermarkPolicy.equals("min") && !watermarkPolicy.equals("max")) {
      throw new IllegalArgumentException("not a watermark policy: " + watermarkPolicy);
    }
  }

  /** The settings of a new query. */
  public static SharedSettings of(String watermarkPolicy) {
    return new SharedSettings(Buckets.COUNT, watermarkPolicy);
  }
}
