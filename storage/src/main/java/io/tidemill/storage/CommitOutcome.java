package io.tidemill.storage;

/** What became of a compare-and-set. */
public sealed interface CommitOutcome {
  /** The value is stored as this version. */
  record Committed(long version) implements CommitOutcome {}

  /** Another writer was first; nothing was written. */
  record Conflict() implements CommitOutcome {}

  /** The write may have happened (a timeout, a lost reply). */
  record Unknown(String reason) implements CommitOutcome {}
}
