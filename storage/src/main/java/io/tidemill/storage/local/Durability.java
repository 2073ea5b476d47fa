package io.tidemill.storage.local;

/** What a write to local disk survives once it has returned. */
public enum Durability {
  /** The loss of power: content and name are forced to disk, at the price of two syncs a write. */
  SYNC,
  /** The loss of the process only. For data that a replay writes anew, such as shuffles. */
  NONE
}
