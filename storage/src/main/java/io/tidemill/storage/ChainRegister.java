package io.tidemill.storage;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.error.Category;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.SlotFormat.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A register on any {@link Blob}: each version is an object of its own, {@code
 * NAME/00000000000000000012}, created if absent. The newest object is the value.
 *
 * <p>Once old slots are deleted, creation alone decides nothing: a writer that slept since a slot
 * was deleted can create it again. So a writer looks, after creating its slot, whether later ones
 * exist. If so, its write counts only if the next slot says that it follows it.
 *
 * <p>Does not close the blob store. A read is one listing and one get, a compare-and-set one put
 * and one listing; both need one more get after a restart or a conflict.
 */
public final class ChainRegister implements Register {
  /** Tries to read the newest slot while others delete it because there are much newer ones. */
  private static final int READS_MAX = 10;

  private static final int LIST_PAGE = 1000;

  /** Slots that pruning must leave, so that a slow writer finds the one after its own. */
  public static final int KEEP_MIN = 2;

  private final Blob blob;

  /** The newest version seen of each name: where to start listing, and whom to name as previous. */
  private final Map<String, Known> known = new ConcurrentHashMap<>();

  private record Known(long version, AttemptId attempt) {}

  public ChainRegister(Blob blob) {
    this.blob = blob;
  }

  @Override
  public Optional<Versioned> read(String name) {
    for (int read = 0; read < READS_MAX; read++) {
      List<Long> newest = newest(name);
      if (newest.isEmpty()) {
        known.remove(name);
        return Optional.empty();
      }
      Optional<Slot> slot = slot(name, newest.get(0));
      if (slot.isPresent()) {
        Slot found = slot.get();
        known.put(name, new Known(found.version(), found.attempt()));
        return Optional.of(new Versioned(found.version(), found.attempt(), found.value()));
      }
    }
    throw new TidemillException(
            ErrorCode.STORAGE_UNAVAILABLE,
            "The newest version of a register vanished each time it was read. Try again; if that"
                + " does not help, check that nothing else deletes files there.")
        .with("register", name)
        .with("location", blob.location());
  }

  @Override
  public CommitOutcome compareAndSet(
      String name, long expectedVersion, AttemptId attempt, byte[] value) {
    long own = expectedVersion + 1;
    Optional<AttemptId> previous = Optional.empty();
    if (expectedVersion != ABSENT) {
      previous = attemptOf(name, expectedVersion);
      if (previous.isEmpty()) {
        return settleIfOwn(name, own, attempt);
      }
    }
    byte[] slot = SlotFormat.write(new Slot(own, attempt, previous, value));
    return switch (blob.putIfAbsent(key(name, own), slot)) {
      case COMMITTED -> settle(name, own, attempt);
      case CONFLICT -> settleIfOwn(name, own, attempt);
      case UNKNOWN -> new CommitOutcome.Unknown("no answer whether the slot was created");
    };
  }

  /** Who wrote the version, if it is the newest. */
  private Optional<AttemptId> attemptOf(String name, long version) {
    Known last = known.get(name);
    if (last != null && last.version() == version) {
      return Optional.of(last.attempt());
    }
    return read(name).filter(v -> v.version() == version).map(Versioned::attempt);
  }

  private CommitOutcome settleIfOwn(String name, long own, AttemptId attempt) {
    try {
      if (slot(name, own).filter(s -> s.attempt().equals(attempt)).isEmpty()) {
        known.remove(name);
        return new CommitOutcome.Conflict();
      }
    } catch (TidemillException e) {
      return unknownIfUnavailable(e);
    }
    return settle(name, own, attempt);
  }

  /** Decides about a slot that this attempt created. */
  private CommitOutcome settle(String name, long own, AttemptId attempt) {
    try {
      if (versions(name, key(name, own)).isEmpty()) {
        known.put(name, new Known(own, attempt));
        return new CommitOutcome.Committed(own);
      }
      known.remove(name);
      boolean followed =
          slot(name, own + 1).flatMap(Slot::previousAttempt).filter(attempt::equals).isPresent();
      if (followed) {
        return new CommitOutcome.Committed(own);
      }
      blob.delete(key(name, own));
      return new CommitOutcome.Conflict();
    } catch (TidemillException e) {
      return unknownIfUnavailable(e);
    }
  }

  /** The slot exists already, so storage that does not answer now leaves its fate open. */
  private static CommitOutcome unknownIfUnavailable(TidemillException e) {
    if (e.category() == Category.UNAVAILABLE) {
      return new CommitOutcome.Unknown(e.getMessage());
    }
    throw e;
  }

  @Override
  public int prune(String name, int keepNewest) {
    if (keepNewest < KEEP_MIN) {
      throw new IllegalArgumentException("at least " + KEEP_MIN + " must be kept: " + keepNewest);
    }
    List<Long> versions = versions(name, "");
    int deleted = Math.max(0, versions.size() - keepNewest);
    // Oldest first, so that a crash leaves no gap.
    for (long version : versions.subList(0, deleted)) {
      blob.delete(key(name, version));
    }
    return deleted;
  }

  @Override
  public void close() {}

  private Optional<Slot> slot(String name, long version) {
    String key = key(name, version);
    Optional<Slot> slot = blob.get(key).map(bytes -> SlotFormat.read(key, bytes, blob.location()));
    if (slot.isPresent() && slot.get().version() != version) {
      throw new TidemillException(
              ErrorCode.CHECKPOINT_CORRUPT,
              "A stored version of the checkpoint has the name of another. Restore it from a copy.")
          .with("key", key)
          .with("location", blob.location())
          .with("version", slot.get().version());
    }
    return slot;
  }

  /** The newest version, or an empty list. */
  private List<Long> newest(String name) {
    Known last = known.get(name);
    List<Long> versions = last == null ? List.of() : versions(name, key(name, last.version() - 1));
    if (versions.isEmpty()) {
      versions = versions(name, "");
    }
    return versions.isEmpty() ? versions : versions.subList(versions.size() - 1, versions.size());
  }

  private List<Long> versions(String name, String startAfter) {
    List<Long> versions = new ArrayList<>();
    List<String> page;
    String last = startAfter;
    do {
      page = blob.list(prefix(name), last, LIST_PAGE);
      for (String key : page) {
        version(name, key).ifPresent(versions::add);
        last = key;
      }
    } while (page.size() == LIST_PAGE);
    return versions;
  }

  private static Optional<Long> version(String name, String key) {
    String digits = key.substring(name.length() + 1);
    return digits.matches("\\d{20}") ? Optional.of(Long.parseLong(digits)) : Optional.empty();
  }

  /** All slots start with a zero, other registers below the same name seldom do. */
  private static String prefix(String name) {
    return name + "/0";
  }

  private static String key(String name, long version) {
    return String.format(Locale.ROOT, "%s/%020d", name, version);
  }
}
