package io.tidemill.api.types;

import io.tidemill.protocol.Json;
import io.tidemill.protocol.schema.Sql;
import java.util.List;
import java.util.stream.Collectors;

/** A column type, written as Spark or DuckDB write it, and given as DuckDB needs it. */
public sealed interface DataType {
  /** DuckDB's spelling, e.g. {@code STRUCT("a" INTEGER)[]}. */
  String sql();

  /** The type in the structure that DuckDB's from_json takes, e.g. {@code [{"a":"INTEGER"}]}. */
  String jsonStructure();

  /** A type without parts. */
  record Scalar(String sql) implements DataType {
    @Override
    public String jsonStructure() {
      return Json.write(sql);
    }
  }

  /** A list of values of one type. */
  record Array(DataType element) implements DataType {
    @Override
    public String sql() {
      return element.sql() + "[]";
    }

    @Override
    public String jsonStructure() {
      return "[" + element.jsonStructure() + "]";
    }
  }

  /** Values by key. */
  record MapOf(DataType key, DataType value) implements DataType {
    @Override
    public String sql() {
      return "MAP(" + key.sql() + ", " + value.sql() + ")";
    }

    @Override
    public String jsonStructure() {
      return Json.write(sql());
    }
  }

  /**
   * Named values.
   *
   * @param fields in order
   */
  record Struct(List<Field> fields) implements DataType {
    public Struct {
      fields = List.copyOf(fields);
    }

    @Override
    public String sql() {
      return fields.stream()
          .map(f -> Sql.name(f.name()) + " " + f.type().sql())
          .collect(Collectors.joining(", ", "STRUCT(", ")"));
    }

    @Override
    public String jsonStructure() {
      return fields.stream()
          .map(f -> Json.write(f.name()) + ":" + f.type().jsonStructure())
          .collect(Collectors.joining(",", "{", "}"));
    }
  }

  /**
   * A field of a struct, or a column of a schema.
   *
   * @param required true for NOT NULL
   */
  record Field(String name, DataType type, boolean required) {}

  /** Reads a type such as {@code bigint}, {@code array<struct<a: int>>} or {@code INTEGER[]}. */
  static DataType parse(String text) {
    return new DdlParser(text).type();
  }

  /**
   * Reads the columns of a schema, e.g. {@code id STRING NOT NULL, items ARRAY<STRUCT<sku:
   * STRING>>}.
   */
  static Struct parseColumns(String ddl) {
    return new DdlParser(ddl).columns();
  }
}
