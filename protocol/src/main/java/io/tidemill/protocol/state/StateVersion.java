package io.tidemill.protocol.state;

import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.Watermark;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The manifest of an operator's state after a batch: segments that cover all buckets that ever held
 * a key, in order, without overlap.
 *
 * @param evictedTo rows whose eviction time is at or before this are gone, whatever the files say
 * @param obsolete files no longer read by this version, to be deleted once no retained version
 *     reads them
 */
public record StateVersion(
    List<StateSegment> segments, Watermark evictedTo, List<ObsoleteFile> obsolete) {
  public static final StateVersion EMPTY = new StateVersion(List.of(), Watermark.NONE, List.of());

  /** A file and the first batch whose version no longer reads it. */
  public record ObsoleteFile(String key, long sinceBatch) {}

  public StateVersion {
    segments = List.copyOf(segments);
    obsolete = List.copyOf(obsolete);
  }

  /** Rows in state. */
  public long rows() {
    return segments.stream().mapToLong(StateSegment::rows).sum();
  }

  /** Bytes of all files read by this version, each counted once. */
  public long bytes() {
    Map<String, Long> bytes = new HashMap<>();
    segments.forEach(s -> s.files().forEach(f -> bytes.put(f.key(), f.bytes())));
    return bytes.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The parts of this version that hold keys of the range, each cut to it. */
  public List<StateSegment> overlapping(Buckets range) {
    return segments.stream()
        .filter(s -> s.buckets().overlaps(range))
        .map(s -> cut(s, intersection(s.buckets(), range)))
        .toList();
  }

  /** The files to read for the range, in order, each cut to the buckets to read from it. */
  public List<StateFile> files(Buckets range) {
    return inOrder(overlapping(range));
  }

  /**
   * The version after a batch's changes, whose ranges must not overlap.
   *
   * @param evictedTo must not be before this version's
   * @param batch later than all batches whose files this version reads
   */
  public StateVersion apply(List<StateChange> changes, Watermark evictedTo, long batch) {
    List<StateSegment> next = new ArrayList<>();
    List<StateSegment> rest = segments;
    for (StateChange change : changes) {
      List<StateSegment> before = new ArrayList<>();
      List<StateSegment> kept = new ArrayList<>();
      for (StateSegment segment : rest) {
        if (segment.buckets().overlaps(change.buckets())) {
          before.add(cut(segment, intersection(segment.buckets(), change.buckets())));
          kept.addAll(without(segment, change.buckets()));
        } else {
          kept.add(segment);
        }
      }
      rest = kept;
      List<StateFile> files = new ArrayList<>(change.rebased() ? List.of() : inOrder(before));
      files.addAll(change.added());
      next.add(new StateSegment(change.buckets(), files, change.rows()));
    }
    next.addAll(rest);
    next.sort(Comparator.comparingInt(s -> s.buckets().from()));
    return new StateVersion(next, evictedTo, obsoleteAfter(next, batch));
  }

  /**
   * The files of segments in the order of their batches, which keeps the order within each segment.
   * Parts of one file that lie side by side become one again.
   */
  private static List<StateFile> inOrder(List<StateSegment> segments) {
    List<StateFile> files = new ArrayList<>();
    segments.stream()
        .flatMap(s -> s.files().stream())
        .sorted(
            Comparator.comparingLong(StateFile::batch)
                .thenComparing(StateFile::key)
                .thenComparingInt(f -> f.buckets().from()))
        .forEach(
            file -> {
              StateFile last = files.isEmpty() ? null : files.get(files.size() - 1);
              if (last != null
                  && last.key().equals(file.key())
                  && last.buckets().to() == file.buckets().from()) {
                Buckets both = new Buckets(last.buckets().from(), file.buckets().to());
                files.set(files.size() - 1, file.cut(both));
              } else {
                files.add(file);
              }
            });
    return files;
  }

  private List<ObsoleteFile> obsoleteAfter(List<StateSegment> next, long batch) {
    Set<String> read = new HashSet<>();
    next.forEach(s -> s.files().forEach(f -> read.add(f.key())));
    List<ObsoleteFile> all = new ArrayList<>(obsolete);
    segments.stream()
        .flatMap(s -> s.files().stream())
        .map(StateFile::key)
        .distinct()
        .filter(key -> !read.contains(key))
        .forEach(key -> all.add(new ObsoleteFile(key, batch)));
    return all;
  }

  /** This version without the obsolete files that no version from the batch on reads. */
  public StateVersion forget(long beforeBatch) {
    return new StateVersion(
        segments, evictedTo, obsolete.stream().filter(o -> o.sinceBatch() > beforeBatch).toList());
  }

  private static Buckets intersection(Buckets a, Buckets b) {
    return new Buckets(Math.max(a.from(), b.from()), Math.min(a.to(), b.to()));
  }

  private static List<StateSegment> without(StateSegment segment, Buckets cut) {
    List<StateSegment> parts = new ArrayList<>();
    Buckets own = segment.buckets();
    if (own.from() < cut.from()) {
      parts.add(cut(segment, new Buckets(own.from(), cut.from())));
    }
    if (cut.to() < own.to()) {
      parts.add(cut(segment, new Buckets(cut.to(), own.to())));
    }
    return parts;
  }

  private static StateSegment cut(StateSegment segment, Buckets range) {
    if (range.equals(segment.buckets())) {
      return segment;
    }
    long share =
        segment.rows()
            * (range.to() - range.from())
            / (segment.buckets().to() - segment.buckets().from());
    List<StateFile> files =
        segment.files().stream()
            .filter(f -> f.buckets().overlaps(range))
            .map(f -> f.cut(intersection(f.buckets(), range)))
            .toList();
    return new StateSegment(range, files, share);
  }
}
