package io.tidemill.protocol;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.List;

/**
 * A contiguous range of key buckets, {@code from} inclusive, {@code to} exclusive. Keys hash to
 * {@link #COUNT} buckets for the life of a query; a shard is a range of them.
 */
public record Buckets(int from, int to) {
  /** Buckets of a query, fixed for its life; a power of two. */
  public static final int COUNT = 1024;

  public static final Buckets ALL = new Buckets(0, COUNT);

  public Buckets {
    if (from < 0 || to > COUNT || from >= to) {
      throw new IllegalArgumentException("not a bucket range: [" + from + ", " + to + ")");
    }
  }

  /** Splits all buckets into {@code shards} ranges of nearly equal size, in order. */
  public static List<Buckets> shards(int shards) {
    if (shards < 1 || shards > COUNT) {
      throw new IllegalArgumentException("shards must be between 1 and " + COUNT + ": " + shards);
    }
    List<Buckets> ranges = new ArrayList<>();
    for (int i = 0; i < shards; i++) {
      ranges.add(new Buckets(COUNT * i / shards, COUNT * (i + 1) / shards));
    }
    return ranges;
  }

  public boolean overlaps(Buckets other) {
    return from < other.to && other.from < to;
  }

  public boolean contains(Buckets other) {
    return from <= other.from && other.to <= to;
  }

  @JsonIgnore
  public boolean isAll() {
    return from == 0 && to == COUNT;
  }
}
