package io.tidemill.storage;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Many small values by key, each as it was after the batch that wrote it last, and as it was before
 * that. A write takes effect only if the item is older, so it may be repeated by anyone at any
 * time. Thread-safe. Storage that does not answer is {@code STORAGE_UNAVAILABLE}, and what was
 * asked may then have happened in part.
 */
public interface Items extends AutoCloseable {
  /** Most UTF-8 bytes of the values of an item, both versions together. */
  int VALUE_BYTES_MAX = 390_000;

  /**
   * @param partition items of one partition can be read in order
   * @param sort the order within it, by UTF-8 bytes
   */
  record Key(String partition, String sort) {}

  /**
   * @param batch that wrote it
   * @param value empty if the batch removed it
   */
  record Version(long batch, Optional<String> value) {}

  /**
   * @param now the newest version
   * @param before the one that the newest replaced, if there was one
   */
  record Item(Key key, Version now, Optional<Version> before) {
    public Item {
      if (before.isPresent() && before.get().batch() >= now.batch()) {
        throw new IllegalArgumentException("versions of an item are in order: " + key);
      }
    }

    /** The item as it was before a batch; empty if it was not there then. */
    public Optional<Version> asBefore(long batch) {
      return now.batch() < batch ? Optional.of(now) : before.filter(v -> v.batch() < batch);
    }
  }

  /** Those of the items that are there, in any order. */
  List<Item> get(Collection<Key> keys);

  /** The items of a partition that sort at or before a text, in order. */
  List<Item> upTo(String partition, String sort);

  /**
   * Writes each item unless the one that is there is of the same batch or a later one.
   *
   * @return the keys for which a later batch was there
   */
  List<Key> putIfOlder(Collection<Item> items);

  /** Removes items, whatever they hold, if they are there. */
  void delete(Collection<Key> keys);

  @Override
  void close();
}
