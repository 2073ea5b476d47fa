package io.tidemill.connectors.types;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A DuckDB type taken apart.
 *
 * @param kind what it is
 * @param text the type as DuckDB reads it, e.g. {@code DECIMAL(18,2)}
 * @param fields members: one for a list, key and value for a map, all fields of a struct
 */
public record SqlType(Kind kind, String text, List<Field> fields) {
  private static final Pattern DECIMAL =
      Pattern.compile("(?:DECIMAL|NUMERIC|DEC)\\s*(?:\\(\\s*(\\d+)\\s*(?:,\\s*(\\d+)\\s*)?\\))?");

  /** The shapes of types that connectors tell apart. */
  public enum Kind {
    BOOLEAN,
    INTEGER,
    DECIMAL,
    FLOAT,
    TEXT,
    BINARY,
    DATE,
    TIMESTAMP,
    LIST,
    STRUCT,
    MAP,
    OTHER;

    public boolean isNested() {
      return this == LIST || this == STRUCT || this == MAP;
    }

    public boolean isNumber() {
      return this == INTEGER || this == DECIMAL || this == FLOAT;
    }

    public boolean isTime() {
      return this == DATE || this == TIMESTAMP;
    }
  }

  /** A named member; the name is empty for the element of a list. */
  public record Field(String name, SqlType type) {}

  public SqlType {
    fields = List.copyOf(fields);
  }

  /** Reads a type as written in a job or as reported by DuckDB. */
  public static SqlType parse(String text) {
    return new SqlTypeParser(text).type();
  }

  static SqlType scalar(String text) {
    return new SqlType(kindOf(text.toUpperCase(Locale.ROOT)), text, List.of());
  }

  static SqlType list(SqlType element, String suffix) {
    return new SqlType(Kind.LIST, element.text() + suffix, List.of(new Field("", element)));
  }

  /** The element of a list. */
  public SqlType element() {
    return fields.get(0).type();
  }

  /** Digits after the point of a DECIMAL. */
  public int scale() {
    Matcher m = DECIMAL.matcher(text.toUpperCase(Locale.ROOT));
    if (!m.matches()) {
      return 0;
    }
    if (m.group(1) == null) {
      return 3;
    }
    return m.group(2) == null ? 0 : Integer.parseInt(m.group(2));
  }

  /**
   * The type to keep values of this one in Parquet without losing digits: DuckDB writes HUGEINT as
   * DOUBLE, so it becomes DECIMAL(38,0), inside nested types too.
   */
  public SqlType storable() {
    return replaced("U?HUGEINT|U?INT128", "DECIMAL(38,0)");
  }

  /**
   * As {@link #storable}, and also the types that Parquet rounds or shifts become texts: INTERVAL,
   * of which it keeps milliseconds, and TIME WITH TIME ZONE, of which it loses the zone.
   */
  public SqlType exactlyStorable() {
    return storable().replaced("INTERVAL|TIME WITH TIME ZONE|TIMETZ", "VARCHAR");
  }

  /** The type whose values JDBC gives as points in time, whatever the zone of the process. */
  public SqlType zoned() {
    return replaced("TIMESTAMP|DATETIME|TIMESTAMP WITHOUT TIME ZONE", "TIMESTAMP WITH TIME ZONE");
  }

  /** This type with every scalar inside that matches replaced. */
  private SqlType replaced(String pattern, String replacement) {
    if (!kind.isNested()) {
      return text.toUpperCase(Locale.ROOT).matches(pattern) ? scalar(replacement) : this;
    }
    List<Field> kept =
        fields.stream()
            .map(f -> new Field(f.name(), f.type().replaced(pattern, replacement)))
            .toList();
    return kind == Kind.LIST
        ? list(kept.get(0).type(), text.substring(element().text().length()))
        : new SqlType(kind, textOf(kind, kept), kept);
  }

  static String textOf(Kind kind, List<Field> fields) {
    return fields.stream()
        .map(
            f ->
                kind == Kind.MAP
                    ? f.type().text()
                    : io.tidemill.protocol.schema.Sql.name(f.name()) + " " + f.type().text())
        .collect(Collectors.joining(", ", kind + "(", ")"));
  }

  private static Kind kindOf(String text) {
    if (DECIMAL.matcher(text).matches()) {
      return Kind.DECIMAL;
    }
    return switch (text.replaceAll("\\s*\\(.*", "")) {
      case "BOOLEAN", "BOOL", "LOGICAL" -> Kind.BOOLEAN;
      case "TINYINT", "INT1", "SMALLINT", "INT2", "INT16", "SHORT" -> Kind.INTEGER;
      case "INTEGER", "INT", "INT4", "INT32", "SIGNED", "BIGINT", "INT8", "INT64", "LONG" ->
          Kind.INTEGER;
      case "HUGEINT", "INT128", "UHUGEINT", "UINT128", "UTINYINT", "USMALLINT", "UINTEGER" ->
          Kind.INTEGER;
      case "UBIGINT", "UINT8", "UINT16", "UINT32", "UINT64" -> Kind.INTEGER;
      case "DOUBLE", "FLOAT8", "FLOAT", "FLOAT4", "REAL" -> Kind.FLOAT;
      case "VARCHAR", "TEXT", "STRING", "CHAR", "BPCHAR", "NVARCHAR" -> Kind.TEXT;
      case "BLOB", "BYTEA", "BINARY", "VARBINARY" -> Kind.BINARY;
      case "DATE" -> Kind.DATE;
      case "TIMESTAMP", "DATETIME", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_US" -> Kind.TIMESTAMP;
      case "TIMESTAMP_NS", "TIMESTAMPTZ", "TIMESTAMP WITH TIME ZONE" -> Kind.TIMESTAMP;
      case "TIMESTAMP WITHOUT TIME ZONE" -> Kind.TIMESTAMP;
      default -> Kind.OTHER;
    };
  }
}
