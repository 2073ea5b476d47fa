package io.tidemill.simulation;

import io.tidemill.protocol.Buckets;

/** A row of the source. Ids are never used twice. */
record Row(long id, String key, long eventMillis) {
  /** The bucket of the row's key. */
  static int bucket(String key) {
    return Math.floorMod(key.hashCode() * 0x9E3779B9, Buckets.COUNT);
  }
}
