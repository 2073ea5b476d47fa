package io.tidemill.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.state.StateChange;
import io.tidemill.protocol.state.StateVersion;
import io.tidemill.storage.Seeds;
import io.tidemill.storage.memory.MemoryBlob;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random upserts, removals and evictions in random shards, on instances that are warm, cold, ahead
 * or out of date, compared with a map after each batch.
 */
class RandomStateTest {
  private static final StateLayout LAYOUT =
      new StateLayout(
          Schema.of("k0", "DOUBLE", "k1", "VARCHAR", "expiry", "TIMESTAMP", "v", "DECIMAL(38,0)"),
          List.of("k0", "k1"),
          Optional.of("expiry"));
  private static final int KEYS = 60;
  private static final int BATCHES = 20;
  private static final int INSTANCES = 2;

  @TempDir Path scratch;

  @Test
  void tableIsWhatAMapWouldBeWhateverTheShardsAndFiles() {
    Seeds.each(4, random -> new Run(random, scratch).run());
  }

  /** A key, in the SQL of its columns, and its bucket. */
  private record Key(String sql, int bucket) {}

  /**
   * @param expiry seconds, or null
   */
  private record Row(Long expiry, long value) {}

  private static final class Run {
    private final RandomGenerator random;
    private final Path scratch;
    private final MemoryBlob checkpoint = new MemoryBlob();
    private final StateSettings settings;
    private final Instance[] instances = new Instance[INSTANCES];
    private final List<Key> keys = new ArrayList<>();
    private final Map<Key, Row> model = new HashMap<>();
    private StateVersion version = StateVersion.EMPTY;
    private long watermark;

    Run(RandomGenerator random, Path scratch) {
      this.random = random;
      this.scratch = scratch;
      this.settings =
          new StateSettings(
              1 + random.nextInt(8), random.nextInt(4), 1 + random.nextInt(8), random.nextInt(40));
    }

    void run() {
      try {
        chooseKeys();
        for (int batch = 1; batch <= BATCHES; batch++) {
          batch(batch);
          check();
        }
      } finally {
        for (int i = 0; i < INSTANCES; i++) {
          restart(i);
        }
        checkpoint.close();
      }
    }

    private Instance instance() {
      int i = random.nextInt(INSTANCES);
      if (random.nextInt(25) == 0) {
        restart(i);
      }
      if (instances[i] == null) {
        instances[i] = new Instance(checkpoint, scratch.resolve("instance" + i), settings);
      }
      return instances[i];
    }

    private void restart(int i) {
      if (instances[i] != null) {
        instances[i].close();
        instances[i] = null;
      }
    }

    private void chooseKeys() {
      Set<String> texts = new HashSet<>();
      String[] doubles = {"NULL", "0.0", "'nan'", "'-inf'", "1.5", "-1.5"};
      for (int i = 0; i < KEYS; i++) {
        String text = random.nextInt(12) == 0 ? "NULL" : "'key-" + random.nextInt(40) + "'";
        texts.add("CAST(" + doubles[random.nextInt(doubles.length)] + " AS DOUBLE), " + text);
      }
      String bucket = ObjectState.bucketExpression(List.of("k0", "k1"));
      for (String text : texts.stream().sorted().toList()) {
        String of = "SELECT " + bucket + " FROM (VALUES (" + text + ")) t(k0, k1)";
        keys.add(new Key(text, Integer.parseInt(instance().rows(of).get(0))));
      }
    }

    private void batch(long batch) {
      long evictTo = watermark + (random.nextInt(3) == 0 ? 0 : random.nextInt(40));
      Map<Key, Row> next = new HashMap<>(model);
      List<StateChange> changes = new ArrayList<>();
      for (Buckets shard : Buckets.shards(1 + random.nextInt(3))) {
        if (random.nextInt(4) > 0) {
          changes.add(task(batch, shard, next, evictTo));
        }
      }
      if (random.nextInt(3) == 0) {
        // The batch fails before its commit; the next one knows nothing of it.
        return;
      }
      next.values().removeIf(row -> row.expiry() != null && row.expiry() <= evictTo);
      model.clear();
      model.putAll(next);
      watermark = evictTo;
      version = version.apply(changes, Watermark.ofMillis(evictTo * 1000), batch);
      version = Json.read(Json.bytes(version), StateVersion.class);
    }

    /** Runs a task once or twice, sometimes after a try that gave up; the last result counts. */
    private StateChange task(long batch, Buckets shard, Map<Key, Row> next, long evictTo) {
      if (random.nextInt(6) == 0) {
        Instance other = instance();
        SavedState table = other.load(LAYOUT, version, shard);
        changes(shard, new HashMap<>(next)).forEach(select -> other.apply(table, select));
      }
      List<String> selects = changes(shard, next);
      StateChange change = null;
      for (int tries = random.nextInt(5) == 0 ? 2 : 1; tries > 0; tries--) {
        Instance instance = instance();
        SavedState table = instance.load(LAYOUT, version, shard);
        selects.forEach(select -> instance.apply(table, select));
        table.evict(Watermark.ofMillis(evictTo * 1000));
        assertThat(table.rows()).isEqualTo(live(next, shard, evictTo));
        change = Instance.save(table, batch);
        assertThat(change.rows()).isEqualTo(table.rows());
      }
      return change;
    }

    private static long live(Map<Key, Row> rows, Buckets shard, long evictTo) {
      return rows.entrySet().stream()
          .filter(e -> shard.contains(new Buckets(e.getKey().bucket(), e.getKey().bucket() + 1)))
          .filter(e -> e.getValue().expiry() == null || e.getValue().expiry() > evictTo)
          .count();
    }

    private List<String> changes(Buckets shard, Map<Key, Row> rows) {
      List<String> selects = new ArrayList<>();
      for (int tables = random.nextInt(3); tables > 0; tables--) {
        List<String> values = new ArrayList<>();
        int share = 1 + random.nextInt(6);
        for (Key key : keys) {
          boolean inside = shard.from() <= key.bucket() && key.bucket() < shard.to();
          if (inside && random.nextInt(share) == 0) {
            values.add(change(key, rows));
          }
        }
        if (!values.isEmpty()) {
          selects.add(
              "SELECT * FROM (VALUES "
                  + String.join(", ", values)
                  + ") t(_bucket, k0, k1, expiry, v, _live)");
        }
      }
      return selects;
    }

    private String change(Key key, Map<Key, Row> rows) {
      String columns = "(" + key.bucket() + "::USMALLINT, " + columns(key);
      Row old = rows.get(key);
      if (old != null && random.nextInt(3) == 0) {
        rows.remove(key);
        return columns + ", NULL::TIMESTAMP, NULL, false)";
      }
      Row row = new Row(expiry(), random.nextLong());
      rows.put(key, row);
      if (row.expiry() != null && row.expiry() <= watermark) {
        rows.remove(key);
      }
      String expiry =
          row.expiry() == null ? "NULL" : "make_timestamp(" + row.expiry() * 1_000_000 + ")";
      return columns + ", " + expiry + ", " + row.value() + ", true)";
    }

    /** Zero comes with either sign: they are one key. */
    private String columns(Key key) {
      return random.nextBoolean() ? key.sql() : key.sql().replace("CAST(0.0 ", "CAST(-0.0 ");
    }

    /** Seconds; now and then at or before the watermark. */
    private Long expiry() {
      return random.nextInt(10) == 0 ? null : Long.valueOf(watermark - 3 + random.nextInt(60));
    }

    private void check() {
      Map<String, String> expected = new HashMap<>();
      model.forEach(
          (key, row) ->
              expected.put(key.bucket() + " " + key.sql(), row.expiry() + "|" + row.value()));
      Map<String, String> found = new HashMap<>();
      for (Buckets shard : Buckets.shards(1 + random.nextInt(3))) {
        Instance instance = instance();
        SavedState table = instance.load(LAYOUT, version, shard);
        List<String> rows =
            instance.rows(
                "SELECT _bucket || ' CAST(' || CASE WHEN k0 IS NULL THEN 'NULL' WHEN k0 = 0 THEN"
                    + " '0.0' WHEN abs(k0) = 1.5 THEN k0::VARCHAR ELSE '''' || k0 || '''' END"
                    + " || ' AS DOUBLE), ' || coalesce('''' || k1 || '''', 'NULL'),"
                    + " epoch_ms(expiry) // 1000, v FROM "
                    + table.table());
        assertThat(table.rows()).isEqualTo(rows.size());
        for (String row : rows) {
          int bar = row.indexOf('|');
          assertThat(found.put(row.substring(0, bar), row.substring(bar + 1))).isNull();
        }
      }
      assertThat(found).isEqualTo(expected);
      Set<String> files = new HashSet<>(checkpoint.list("state/", "", 100_000));
      Set<String> named =
          version.files(Buckets.ALL).stream().map(f -> f.key()).collect(Collectors.toSet());
      assertThat(files).containsAll(named);
    }
  }
}
