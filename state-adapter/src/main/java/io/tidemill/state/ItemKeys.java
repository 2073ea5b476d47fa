package io.tidemill.state;

import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.Watermark;
import io.tidemill.storage.Items;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Where the items of an operator's state are: in partitions {@code QUERY/TIMELINE/OPERATOR/GROUP},
 * of which each has 64 buckets. In a partition an item sorts by the time that evicts it, where that
 * follows from its key, and then by what tells keys apart.
 */
public final class ItemKeys {
  /** Sorts behind all times: for rows that are never evicted. */
  static final String NEVER = "z";

  /** What is added to a time in microseconds, so that none is negative. */
  static final BigInteger TIME_OFFSET = BigInteger.ONE.shiftLeft(63);

  private static final int GROUP_BITS = 6;

  private final String folder;

  public ItemKeys(StatePlace place) {
    this.folder = place.query() + "/" + place.task().timeline() + "/" + place.operator();
  }

  public Items.Key key(int bucket, String sort) {
    return new Items.Key(folder + "/" + (bucket >> GROUP_BITS), sort);
  }

  /** First part of the sort key of a row that is evicted when the watermark gets there. */
  public static String sortOf(Watermark eviction) {
    BigInteger micros = BigInteger.valueOf(eviction.millis()).multiply(BigInteger.valueOf(1000));
    return String.format(Locale.ROOT, "%020d", micros.add(TIME_OFFSET).max(BigInteger.ZERO));
  }

  /** The last place in the order at which a row is evicted by the watermark. */
  static String evictedUpTo(Watermark watermark) {
    return sortOf(watermark) + "~";
  }

  /** The item that says how the others are laid out. */
  Items.Key format() {
    return new Items.Key(folder + "/format", "format");
  }

  /** Partitions that may hold rows of a shard. */
  List<String> partitions(Buckets shard) {
    return groups(shard.from() >> GROUP_BITS, shard).map(group -> folder + "/" + group).toList();
  }

  /** Starts of the names of the shard's partitions, but for those that begin in another shard. */
  List<String> ownPartitions(Buckets shard) {
    if (shard.equals(Buckets.ALL)) {
      return List.of(folder + "/");
    }
    int first = (shard.from() + (1 << GROUP_BITS) - 1) >> GROUP_BITS;
    return groups(first, shard).map(group -> folder + "/" + group + "/").toList();
  }

  private static Stream<Integer> groups(int first, Buckets shard) {
    return IntStream.rangeClosed(first, (shard.to() - 1) >> GROUP_BITS).boxed();
  }
}
