package io.tidemill.simulation;

import io.tidemill.checkpoint.Head;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.state.StateChange;
import io.tidemill.protocol.state.StateSegment;
import io.tidemill.protocol.task.TaskId;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.state.ItemBatch;
import io.tidemill.state.ItemKeys;
import io.tidemill.state.ItemSettings;
import io.tidemill.state.StatePlace;
import io.tidemill.storage.Items;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Counts in items, by the product's own rule. A row is group, count, and some ballast. */
final class ItemCounts implements Counts {
  /** Small values and frequent sweeps, so that a short simulation has both. */
  static final ItemSettings SETTINGS = new ItemSettings(60, 3);

  private static final String FORMAT = "simulated";
  private static final String BALLAST = "x".repeat(SETTINGS.valueBytesMax());
  private static final int PARTITION_BUCKETS = 64;

  /** Sorts behind all items. */
  private static final String LAST = "~";

  private final Grouping grouping;

  /** Rows read before, by their text. */
  private final Map<String, String[]> known = new HashMap<>();

  ItemCounts(Grouping grouping) {
    this.grouping = grouping;
  }

  @Override
  public OfTask of(TaskRequest request, SimulatedStorage.View storage) {
    return new Task(request, storage);
  }

  private record Reference(String object, int bytes, long crc32c) {}

  /** Reads all items there are, and knows their rule by itself. */
  @Override
  public Map<String, Long> committed(Head head, SimulatedStorage storage) {
    long next = head.committed().batch().map(BatchId::value).orElse(-1L) + 1;
    ItemKeys keys = new ItemKeys(place(head, next));
    Map<String, Long> counts = new TreeMap<>();
    for (int bucket = 0; bucket < Buckets.COUNT; bucket += PARTITION_BUCKETS) {
      for (Items.Item item : storage.items().upTo(keys.key(bucket, "").partition(), LAST)) {
        String group = item.key().sort().substring(item.key().sort().indexOf('k'));
        if (grouping.isOver(group, head.committed().state(OPERATOR).evictedTo())) {
          continue;
        }
        if (item.now().batch() > next) {
          throw new AssertionError("written by a batch that cannot have begun: " + item);
        }
        item.asBefore(next)
            .flatMap(Items.Version::value)
            .ifPresent(value -> counts.put(group, count(group, row(value, storage))));
      }
    }
    return counts;
  }

  private static StatePlace place(Head head, long batch) {
    TaskId task = new TaskId(head.timeline(), new BatchId(batch), OPERATOR, 0);
    return new StatePlace(
        head.query(), task, OPERATOR, Buckets.ALL, head.committed().state(OPERATOR));
  }

  private static String row(String value, SimulatedStorage storage) {
    if (!value.startsWith("{")) {
      return value;
    }
    String object = Json.read(value, Reference.class).object();
    return new String(
        storage
            .blob()
            .get(object)
            .orElseThrow(() -> new AssertionError("an item names a blob that is gone: " + object)),
        StandardCharsets.UTF_8);
  }

  private long count(String group, String row) {
    String[] columns = known.computeIfAbsent(row, text -> Json.read(text, String[].class));
    if (!columns[0].equals(group)) {
      throw new AssertionError("an item has the row of another group: " + group + ", " + row);
    }
    return Long.parseLong(columns[1]);
  }

  /** Blobs that no item names. */
  static List<String> orphans(Head head, SimulatedStorage storage) {
    ItemKeys keys = new ItemKeys(place(head, 0));
    List<String> blobs = new ArrayList<>(storage.blob().list("items/", "", 100_000));
    for (int bucket = 0; bucket < Buckets.COUNT; bucket += PARTITION_BUCKETS) {
      for (Items.Item item : storage.items().upTo(keys.key(bucket, "").partition(), LAST)) {
        List<Items.Version> versions = new ArrayList<>(List.of(item.now()));
        item.before().ifPresent(versions::add);
        for (Items.Version version : versions) {
          version
              .value()
              .filter(value -> value.startsWith("{"))
              .ifPresent(value -> blobs.remove(Json.read(value, Reference.class).object()));
        }
      }
    }
    return blobs;
  }

  private final class Task implements OfTask {
    private final TaskRequest request;
    private final StatePlace place;
    private final ItemKeys keys;
    private final ItemBatch items;

    Task(TaskRequest request, SimulatedStorage.View storage) {
      this.request = request;
      this.place =
          new StatePlace(
              request.batch().query(),
              request.task(),
              OPERATOR,
              request.buckets(),
              request.state().get(OPERATOR));
      this.keys = new ItemKeys(place);
      this.items = new ItemBatch(storage.items(), storage.blob(), SETTINGS, place, FORMAT);
    }

    private Items.Key key(String group) {
      String time = grouping == Grouping.WINDOW ? ItemKeys.sortOf(Grouping.end(group)) : "";
      return keys.key(Row.bucket(group), time + group);
    }

    @Override
    public Map<String, Long> load(Set<String> groups) {
      Map<String, Long> counts = new TreeMap<>();
      List<Items.Key> wanted = groups.stream().map(this::key).toList();
      boolean byTime = grouping == Grouping.WINDOW;
      for (String[] row : items.load(wanted, byTime, request.batch().eviction())) {
        boolean isOver = grouping.isOver(row[0], place.version().evictedTo());
        if (!isOver && Row.isIn(place.shard(), row[0])) {
          counts.put(row[0], Long.valueOf(row[1]));
        }
      }
      return counts;
    }

    @Override
    public StateChange save(Map<String, Long> all, Map<String, Long> changed) {
      List<ItemBatch.Changed> rows = new ArrayList<>();
      changed.forEach(
          (group, count) ->
              rows.add(
                  new ItemBatch.Changed(
                      key(group),
                      row(group, count),
                      count > 0,
                      grouping.isOver(group, request.batch().eviction()))));
      long evicted =
          all.keySet().stream()
              .filter(group -> grouping.isOver(group, request.batch().eviction()))
              .count();
      long before =
          place.version().overlapping(place.shard()).stream().mapToLong(StateSegment::rows).sum();
      long added = items.write(rows, request.attempt()) - evicted;
      return new StateChange(
          OPERATOR, place.shard(), List.of(), false, Math.max(0, before + added));
    }

    /** Rows of every second key are too large for an item now and then. */
    private static String row(String group, long count) {
      boolean large = (group.charAt(1) + count) % 2 == 0;
      return Json.write(new String[] {group, Long.toString(count), large ? BALLAST : ""});
    }

    @Override
    public void tidy() {
      items.tidy();
    }
  }
}
