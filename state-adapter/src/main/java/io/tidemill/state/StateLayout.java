package io.tidemill.state;

import io.tidemill.protocol.schema.Schema;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What one row of keyed state looks like.
 *
 * @param columns columns of storable types: no HUGEINT, which Parquet would turn into DOUBLE
 * @param keyColumns columns that tell rows apart, compared with IS NOT DISTINCT FROM; none if there
 *     is only one row, in bucket 0
 * @param evictColumn a TIMESTAMP column: rows with a value at or before the watermark are evicted,
 *     rows with null never. Empty if no row is ever evicted
 */
public record StateLayout(Schema columns, List<String> keyColumns, Optional<String> evictColumn) {
  /** Column with the bucket of a row's key. */
  public static final String BUCKET = "_bucket";

  /** Column of changes: true for a row to insert or replace, false for a key to remove. */
  public static final String LIVE = "_live";

  public StateLayout {
    keyColumns = List.copyOf(keyColumns);
    Set<String> names = new HashSet<>(Set.of(BUCKET, LIVE));
    for (String name : columns.names()) {
      if (!names.add(name.toLowerCase(Locale.ROOT))) {
        throw new IllegalArgumentException("a column of this name there is already: " + name);
      }
    }
    keyColumns.forEach(name -> require(columns, name));
    evictColumn.ifPresent(name -> require(columns, name));
  }

  private static void require(Schema columns, String name) {
    if (columns.find(name).isEmpty()) {
      throw new IllegalArgumentException("not a column of the layout: " + name);
    }
  }
}
