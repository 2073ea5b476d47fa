package io.tidemill.api;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import java.math.BigDecimal;
import java.sql.Date;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * A row of a result. Values: {@code Instant} for times, {@code LocalDate}, {@code BigDecimal},
 * {@code String}, {@code byte[]}, boxed numbers and booleans, {@code List}, and {@code Map} for
 * maps and structs; null for null. Immutable.
 */
public final class Row {
  private final List<String> names;
  private final List<Object> values;

  private Row(List<String> names, List<Object> values) {
    this.names = names;
    this.values = Collections.unmodifiableList(new ArrayList<>(values));
  }

  static Row of(Schema schema, List<Object> values) {
    return new Row(schema.names(), values);
  }

  /** A row without column names. */
  public static Row of(Object... values) {
    return new Row(List.of(), Arrays.asList(values));
  }

  public int size() {
    return values.size();
  }

  public int length() {
    return size();
  }

  /** The value at a position, the first being 0. */
  public Object get(int position) {
    return values.get(position);
  }

  public List<Object> toList() {
    return values;
  }

  public boolean isNullAt(int position) {
    return get(position) == null;
  }

  /** The position of a column by its name, compared without case. */
  public int fieldIndex(String name) {
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i).equalsIgnoreCase(name)) {
        return i;
      }
    }
    throw new TidemillException(
            ErrorCode.UNKNOWN_NAME, "The row has no such column." + Nearest.hint(name, names))
        .with("column", name);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as in Spark
  public <V> V getAs(int position) {
    return (V) get(position);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as in Spark
  public <V> V getAs(String name) {
    return (V) get(fieldIndex(name));
  }

  public String getString(int position) {
    Object value = get(position);
    return value == null ? null : value.toString();
  }

  public boolean getBoolean(int position) {
    return (Boolean) present(position);
  }

  /** A whole number, whatever its type, if it fits. */
  public int getInt(int position) {
    return decimal(position).intValueExact();
  }

  /** A whole number, whatever its type, if it fits. */
  public long getLong(int position) {
    return decimal(position).longValueExact();
  }

  public double getDouble(int position) {
    return ((Number) present(position)).doubleValue();
  }

  public BigDecimal getDecimal(int position) {
    return isNullAt(position) ? null : decimal(position);
  }

  private BigDecimal decimal(int position) {
    return new BigDecimal(present(position).toString());
  }

  private Object present(int position) {
    Object value = get(position);
    if (value == null) {
      throw new TidemillException(ErrorCode.QUERY_FAILED, "The value is null; ask isNullAt first.")
          .with("position", position);
    }
    return value;
  }

  public Instant getInstant(int position) {
    return (Instant) get(position);
  }

  public Timestamp getTimestamp(int position) {
    return isNullAt(position) ? null : Timestamp.from(getInstant(position));
  }

  public LocalDate getLocalDate(int position) {
    return (LocalDate) get(position);
  }

  public Date getDate(int position) {
    return isNullAt(position) ? null : Date.valueOf(getLocalDate(position));
  }

  @SuppressWarnings("unchecked") // the caller knows the element type, as in Spark
  public <V> List<V> getList(int position) {
    return (List<V>) get(position);
  }

  @SuppressWarnings("unchecked") // the caller knows the types, as in Spark
  public <K, V> Map<K, V> getJavaMap(int position) {
    return (Map<K, V>) get(position);
  }

  /** A struct as a row. */
  public Row getStruct(int position) {
    Map<String, Object> fields = getJavaMap(position);
    return fields == null
        ? null
        : new Row(List.copyOf(fields.keySet()), new ArrayList<>(fields.values()));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Row row && values.equals(row.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  /** The values in brackets, as Spark shows a row. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < values.size(); i++) {
      text.append(i == 0 ? "" : ",").append(values.get(i));
    }
    return text.append(']').toString();
  }
}
