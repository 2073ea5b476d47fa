package io.tidemill.checkpoint;

/** Knows whether the owner of a lease is surely gone, so that nobody has to wait for its expiry. */
@FunctionalInterface
public interface OwnerProbe {
  /** For owners nothing is known about: wait for the expiry. */
  OwnerProbe UNKNOWN = owner -> false;

  /**
   * True only if the owner cannot write any more.
   *
   * @param owner text of the lease
   */
  boolean isGone(String owner);
}
