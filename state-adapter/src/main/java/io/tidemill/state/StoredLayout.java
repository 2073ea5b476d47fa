package io.tidemill.state;

import static java.util.stream.Collectors.joining;

import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Sql;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A layout with its types as DuckDB calls them, and the pieces of SQL that follow from it. */
final class StoredLayout {
  /** A type name outside quotes: a field name is followed by its type, a type name is not. */
  private static final Pattern TYPE_NAME =
      Pattern.compile(
          "\"(?:[^\"]|\"\")*\"|'(?:[^']|'')*'|\\b(TIME WITH TIME ZONE|[A-Z_]+)(?=[,()\\[<]|$)");

  /** Types whose values would come back changed from Parquet, or not at all. */
  private static final Set<String> NEVER_STORED =
      Set.of("HUGEINT", "UHUGEINT", "UNION", "VARIANT", "GEOMETRY", "AGGREGATE_STATE");

  /** Types that Parquet rounds or shifts, but whose text is exact. */
  private static final Set<String> STORED_AS_TEXT = Set.of("INTERVAL", "TIME WITH TIME ZONE");

  /** Milliseconds that fit into a TIMESTAMP of microseconds. */
  private static final long MILLIS_MAX = Long.MAX_VALUE / 1000 - 1;

  private record Field(String name, String type, String fileType) {}

  private final StateLayout layout;
  private final List<Field> fields = new ArrayList<>();

  StoredLayout(Database database, StateLayout layout) {
    this.layout = layout;
    for (Column column : layout.columns().columns()) {
      String type =
          database.row("SELECT typeof(NULL::" + column.type() + ")", row -> row.getString(1));
      fields.add(new Field(Sql.name(column.name()), type, fileType(column.name(), type)));
    }
    layout.evictColumn().ifPresent(this::requireTimestamp);
  }

  private static String fileType(String column, String type) {
    Matcher names = TYPE_NAME.matcher(type);
    return names.replaceAll(
        found -> {
          if (found.group(1) != null && NEVER_STORED.contains(found.group(1))) {
            throw new TidemillException(
                    ErrorCode.INTERNAL,
                    "A state column has a type that files do not keep exactly. Cast it to another"
                        + " type, such as DECIMAL(38,0).")
                .with("column", column)
                .with("type", type);
          }
          boolean asText = found.group(1) != null && STORED_AS_TEXT.contains(found.group(1));
          return Matcher.quoteReplacement(asText ? "VARCHAR" : found.group());
        });
  }

  private void requireTimestamp(String evictColumn) {
    String name = Sql.name(layout.columns().find(evictColumn).orElseThrow().name());
    if (fields.stream().noneMatch(f -> f.name().equals(name) && f.type().equals("TIMESTAMP"))) {
      throw new TidemillException(
              ErrorCode.INTERNAL, "The column that evicts state is not a TIMESTAMP.")
          .with("column", evictColumn);
    }
  }

  StateLayout layout() {
    return layout;
  }

  int keyCount() {
    return layout.keyColumns().size();
  }

  /** What must be equal for files to be readable: recorded with each. */
  String text() {
    String columns = fields.stream().map(f -> f.name() + " " + f.type()).collect(joining(", "));
    return columns
        + " keys "
        + names(layout.keyColumns())
        + layout.evictColumn().map(e -> " evict " + Sql.name(e)).orElse("");
  }

  private static String names(List<String> names) {
    return names.stream().map(Sql::name).collect(joining(", ", "(", ")"));
  }

  /** Bucket and columns as in CREATE TABLE, with {@code more} behind them. */
  String ddl(String more) {
    return fields.stream()
        .map(f -> ", " + f.name() + " " + f.type())
        .collect(joining("", "(" + StateLayout.BUCKET + " USMALLINT", more + ")"));
  }

  /** Bucket and columns as in SELECT. */
  String columns() {
    return select(Field::name);
  }

  /** Bucket and columns in the types of files. */
  String toFile() {
    return select(
        f ->
            f.type().equals(f.fileType())
                ? f.name()
                : "CAST(" + f.name() + " AS " + f.fileType() + ") AS " + f.name());
  }

  /** The same for rows whose types may be narrower than those of the table. */
  String changesToFile() {
    return select(
        f -> {
          String value = "CAST(" + f.name() + " AS " + f.type() + ")";
          String stored =
              f.type().equals(f.fileType()) ? value : "CAST(" + value + " AS " + f.fileType() + ")";
          return stored + " AS " + f.name();
        });
  }

  /** Bucket and columns of a file in the types of the table. Not all types are those of Parquet. */
  String fromFile() {
    return select(f -> "CAST(" + f.name() + " AS " + f.type() + ") AS " + f.name());
  }

  private String select(Function<Field, String> expression) {
    return fields.stream()
        .map(f -> ", " + expression.apply(f))
        .collect(joining("", StateLayout.BUCKET, ""));
  }

  /**
   * Condition that two rows have the same key.
   *
   * @param nullable tells for each key column whether nulls may meet: plain equality is the faster
   *     one, because it skips parts of the table that hold no value in question
   */
  String sameKey(String left, String right, List<Boolean> nullable) {
    if (layout.keyColumns().isEmpty()) {
      return "true";
    }
    List<String> conditions = new ArrayList<>();
    for (int i = 0; i < layout.keyColumns().size(); i++) {
      String name = Sql.name(layout.keyColumns().get(i));
      String comparison = nullable.get(i) ? " IS NOT DISTINCT FROM " : " = ";
      conditions.add(left + "." + name + comparison + right + "." + name);
    }
    return String.join(" AND ", conditions);
  }

  /** The key columns for PARTITION BY. */
  String partitionByKey() {
    return layout.keyColumns().isEmpty()
        ? ""
        : "PARTITION BY " + layout.keyColumns().stream().map(Sql::name).collect(joining(", "));
  }

  /** Aggregate: the least value of the eviction column, in microseconds; the greatest for none. */
  String earliestMicros() {
    return layout
        .evictColumn()
        .map(name -> "CAST(" + Sql.name(name) + " AS TIMESTAMP)")
        .map(
            column ->
                String.format(
                    Locale.ROOT,
                    "CASE WHEN isfinite(min(%1$s)) THEN epoch_us(min(%1$s)) WHEN min(%1$s) <"
                        + " TIMESTAMP '1970-01-01' THEN %2$d ELSE %3$d END",
                    column,
                    -Long.MAX_VALUE,
                    Long.MAX_VALUE))
        .orElse(Long.toString(Long.MAX_VALUE));
  }

  /** A watermark as {@link #earliestMicros}. */
  static long micros(Watermark watermark) {
    long millis = watermark.millis();
    if (Math.abs(millis) >= MILLIS_MAX) {
      return millis > 0 ? Long.MAX_VALUE : -Long.MAX_VALUE;
    }
    return millis * 1000;
  }

  /** Condition for rows that the watermark evicts. */
  String evicted(Watermark watermark) {
    return isEvictedBy(watermark)
        ? Sql.name(layout.evictColumn().orElseThrow()) + " <= " + timestamp(watermark.millis())
        : "false";
  }

  /** Condition for rows that stay, also if the column is null. */
  String notEvicted(Watermark watermark) {
    return isEvictedBy(watermark) ? "(" + evicted(watermark) + ") IS NOT TRUE" : "true";
  }

  boolean isEvicting() {
    return layout.evictColumn().isPresent();
  }

  boolean isEvictedBy(Watermark watermark) {
    return isEvicting() && !watermark.isNone();
  }

  private static String timestamp(long millis) {
    if (Math.abs(millis) >= MILLIS_MAX) {
      return millis > 0 ? "TIMESTAMP 'infinity'" : "TIMESTAMP '-infinity'";
    }
    return "make_timestamp(" + millis * 1000 + ")";
  }
}
