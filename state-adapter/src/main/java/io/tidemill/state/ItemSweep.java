package io.tidemill.state;

import io.tidemill.storage.Blob;
import io.tidemill.storage.Items;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Removes blobs of rows that no item names: what attempts left that died or were not the first, and
 * what a task that died had replaced and not yet removed. Goes by listings, so it may be done by
 * anybody, at any time, and be broken off.
 */
final class ItemSweep {
  private static final int PAGE = 1_000;

  /** Blobs looked at in one sweep of a partition; more rows as large as that are no sane state. */
  private static final int LOOKED_AT_MAX = 1_000_000;

  /** Partition, timeline, batch, sort key, attempt, as {@link ItemValues} names them. */
  private static final Pattern NAME =
      Pattern.compile(ItemValues.FOLDER + "(.+)/\\d+/(\\d{10,18})/([^/-]+)-[^/]+");

  private final Items items;
  private final Blob blob;

  ItemSweep(Items items, Blob blob) {
    this.items = items;
    this.blob = blob;
  }

  /**
   * Sweeps blobs of batches before one whose tasks are at work.
   *
   * @param partitions starts of their names
   */
  void run(List<String> partitions, long before) {
    for (String partition : partitions) {
      String prefix = ItemValues.FOLDER + partition;
      List<String> page = blob.list(prefix, "", PAGE);
      for (int seen = page.size(); !page.isEmpty(); seen += page.size()) {
        sweep(page, before);
        boolean more = page.size() == PAGE && seen < LOOKED_AT_MAX;
        page = more ? blob.list(prefix, page.get(PAGE - 1), PAGE) : List.of();
      }
    }
  }

  private void sweep(List<String> blobs, long before) {
    Map<String, Items.Key> owners = new HashMap<>();
    for (String key : blobs) {
      Matcher name = NAME.matcher(key);
      if (name.matches() && Long.parseLong(name.group(2)) < before) {
        owners.put(key, new Items.Key(name.group(1), name.group(3)));
      }
    }
    if (owners.isEmpty()) {
      return;
    }
    Set<String> named = new HashSet<>();
    for (Items.Item item : items.get(new HashSet<>(owners.values()))) {
      List<Items.Version> versions = new ArrayList<>(List.of(item.now()));
      item.before().ifPresent(versions::add);
      versions.forEach(v -> v.value().flatMap(ItemValues::object).ifPresent(named::add));
    }
    owners.keySet().stream().filter(key -> !named.contains(key)).forEach(blob::delete);
  }
}
