package io.tidemill.checkpoint;

import io.tidemill.protocol.Ids;
import java.time.InstantSource;

/**
 * How a run opens a head.
 *
 * @param name the query's name, for a query without a head
 * @param plan what the job is
 * @param settings what the job wants shared
 * @param owner who opens it, unique to the run
 * @param probe knows owners that are gone
 * @param force true to take over from a living owner
 * @param leaseMillis how long the lease lasts after each write
 */
public record Opening(
    String name,
    PlanIdentity plan,
    SharedSettings settings,
    String owner,
    OwnerProbe probe,
    boolean force,
    long leaseMillis,
    InstantSource clock,
    Ids ids) {
  public Opening {
    if (owner.isBlank()) {
      throw new IllegalArgumentException("a run needs an owner text");
    }
    if (leaseMillis < 1) {
      throw new IllegalArgumentException("a lease must last: " + leaseMillis);
    }
  }
}
