package io.tidemill.protocol.error;

/** What the reader of an error should do about it. */
public enum Category {
  /** The job, its options or its data are wrong: fix them. */
  INVALID,
  /** Somebody else changed the same object: reload and retry. */
  CONFLICT,
  /** Something outside did not answer: retry later. */
  UNAVAILABLE,
  /** Another run of the same query has taken over: stop. */
  FENCED,
  /** Stored data is not what was written: stop and look. */
  CORRUPT,
  /** A promise inside Tidemill was broken. */
  BUG
}
