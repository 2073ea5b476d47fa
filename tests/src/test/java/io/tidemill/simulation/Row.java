package io.tidemill.simulation;

import io.tidemill.protocol.Buckets;

/** A row of the source. Ids are never used twice. */
record Row(long id, String key, long eventMillis) {
  /** The bucket of a group. */
  static int bucket(String group) {
    return Math.floorMod(group.hashCode() * 0x9E3779B9, Buckets.COUNT);
  }

  static boolean isIn(Buckets range, String group) {
    int bucket = bucket(group);
    return range.from() <= bucket && bucket < range.to();
  }
}
