package io.tidemill.checkpoint;

import io.tidemill.protocol.Epoch;
import io.tidemill.protocol.QueryId;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.Register;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The head as one run sees and changes it. Opening is one read. The first write, whatever it is,
 * makes the run the owner: epoch plus one, and a lease. A write that finds another's is {@code
 * FENCED}; after it, or after a write with an unknown outcome, this object refuses to write. Used
 * by one thread.
 */
public final class OwnedHead {
  private final HeadStore store;
  private final Opening opening;
  private long version;
  private Head head;
  private boolean owned;
  private boolean lost;

  private OwnedHead(HeadStore store, Opening opening, long version, Head head) {
    this.store = store;
    this.opening = opening;
    this.version = version;
    this.head = head;
  }

  /**
   * Reads the head and checks that this run may go on from it. Errors: {@code CHECKPOINT_NEWER},
   * {@code CHECKPOINT_CORRUPT}, {@code CHECKPOINT_MISMATCH} with the parts that differ, {@code
   * FENCED} if another run's lease is live.
   */
  public static OwnedHead open(HeadStore store, Opening opening) {
    Optional<StoredHead> stored = store.read();
    if (stored.isEmpty()) {
      return new OwnedHead(store, opening, Register.ABSENT, first(opening));
    }
    Head head = stored.get().head();
    checkPlan(head, opening, store);
    checkSettings(head, opening, store);
    checkLease(head.lease(), opening, store);
    return new OwnedHead(store, opening, stored.get().version(), head);
  }

  /** The head as last read or written by this run. */
  public Head head() {
    return head;
  }

  /** True if nothing was ever written for this query. */
  public boolean isNew() {
    return version == Register.ABSENT;
  }

  /** True once this run has written. */
  public boolean isOwned() {
    return owned;
  }

  /** Sets where a new query starts; stored with the first write. */
  public void start(Committed start) {
    if (!isNew()) {
      throw new IllegalStateException("the query has started before");
    }
    head = head.withStart(start);
  }

  /** Makes this run the owner if it is not yet, without any other change. */
  public void takeOver() {
    if (!owned) {
      write(head);
    }
  }

  /** Replaces the head. */
  public void write(Head next) {
    replace(next, new Lease(opening.owner(), now() + opening.leaseMillis()));
  }

  /** Writes the head once more if half of the lease is over. */
  public void renewIfDue() {
    if (owned && now() >= renewalDueMillis()) {
      write(head);
    }
  }

  /** When {@link #renewIfDue} has something to do. */
  public long renewalDueMillis() {
    return head.lease().expiresAtMillis() - opening.leaseMillis() / 2;
  }

  /**
   * The run ends well: gives the lease back. Writes nothing if the run never wrote, except the
   * start of a new query.
   */
  public void end(Head last) {
    if (owned || isNew()) {
      replace(last, Lease.NONE);
    }
  }

  /** The run ends with a failure: gives the lease back if it may still write. */
  public void abandon() {
    if (owned && !lost) {
      replace(head, Lease.NONE);
    }
  }

  private void replace(Head next, Lease lease) {
    if (lost) {
      throw new IllegalStateException("a run must not write after a failed write");
    }
    Epoch epoch = owned ? head.epoch() : head.epoch().next();
    Head stamped = next.withOwner(epoch, lease);
    lost = true;
    OptionalLong written = store.replace(version, opening.ids().nextAttempt(), stamped);
    if (written.isEmpty()) {
      throw new TidemillException(
              ErrorCode.FENCED,
              "Another run of this query has taken over. This run ends; what it had not committed"
                  + " is done by the other.")
          .with("checkpoint", store.location())
          .with("epoch", epoch);
    }
    lost = false;
    owned = true;
    version = written.getAsLong();
    head = stamped;
  }

  private long now() {
    return opening.clock().millis();
  }

  private static Head first(Opening opening) {
    return new Head(
        new QueryId(opening.ids().next()),
        opening.name(),
        opening.plan(),
        opening.settings(),
        Timeline.FIRST,
        Epoch.FIRST,
        Lease.NONE,
        Committed.start(List.of(), opening.clock().millis()),
        Optional.empty(),
        List.of());
  }

  private static void checkPlan(Head head, Opening opening, HeadStore store) {
    if (head.plan().fingerprint().equals(opening.plan().fingerprint())) {
      return;
    }
    TidemillException mismatch =
        new TidemillException(
                ErrorCode.CHECKPOINT_MISMATCH,
                "The checkpoint belongs to another query or to another form of it. Undo the change"
                    + " to the job, or give it a new checkpoint.")
            .with("checkpoint", store.location())
            .with("query", head.name());
    Map<String, String> differences = head.plan().differences(opening.plan());
    differences.forEach(mismatch::with);
    if (differences.isEmpty()) {
      mismatch
          .with("fingerprint in the checkpoint", head.plan().fingerprint())
          .with("fingerprint of the job", opening.plan().fingerprint());
    }
    throw mismatch;
  }

  private static void checkSettings(Head head, Opening opening, HeadStore store) {
    if (!head.settings().equals(opening.settings())) {
      throw new TidemillException(
              ErrorCode.CHECKPOINT_MISMATCH,
              "The job sets what cannot change under a checkpoint. Undo the change, or give it a"
                  + " new checkpoint.")
          .with("checkpoint", store.location())
          .with("settings of the checkpoint", head.settings())
          .with("settings of the job", opening.settings());
    }
  }

  private static void checkLease(Lease lease, Opening opening, HeadStore store) {
    if (opening.force()
        || !lease.live(opening.clock().millis())
        || lease.owner().equals(opening.owner())
        || opening.probe().isGone(lease.owner())) {
      return;
    }
    throw new TidemillException(
            ErrorCode.FENCED,
            "Another run of this query is active. Stop it, wait until its lease expires, or force"
                + " the take-over.")
        .with("checkpoint", store.location())
        .with("owner", lease.owner())
        .with("leaseExpires", Instant.ofEpochMilli(lease.expiresAtMillis()));
  }
}
