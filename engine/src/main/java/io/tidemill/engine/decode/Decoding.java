package io.tidemill.engine.decode;

import io.tidemill.connectors.SourceConnector.Payload;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The SQL that turns raw records into a stream's columns.
 *
 * @param select a SELECT over the raw table: the columns used, hidden ones included, and {@code
 *     __error} with what is wrong with the record, or null
 * @param rawColumns raw columns that the SELECT and error reports read
 */
public record Decoding(String select, Set<String> rawColumns) {
  /** Column with what is wrong with a record. */
  public static final String ERROR = "__error";

  /**
   * Plans the decoding of a stream.
   *
   * @param raw columns as read
   * @param declared columns of the stream, empty for the raw ones
   * @param payload how the payload becomes columns; empty if the raw columns are typed already
   * @param used columns the query uses, hidden ones included, compared without case
   * @param rawTable name of the raw table
   */
  public static Decoding plan(
      Schema raw, Schema declared, Optional<Payload> payload, Set<String> used, String rawTable) {
    TreeSet<String> wanted = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    wanted.addAll(used);
    TreeSet<String> read = new TreeSet<>();
    List<String> items = new ArrayList<>();
    for (Column column : raw.columns()) {
      String hidden = hiddenName(column.name());
      boolean visible = payload.isEmpty() && declared.isEmpty() && column.name().equals(hidden);
      if (wanted.contains(hidden) && !visible) {
        read.add(column.name());
        items.add(Sql.name(column.name()) + " AS " + Sql.name(hidden));
      }
    }
    if (payload.isEmpty()) {
      return typed(raw, declared, wanted, read, items, rawTable);
    }
    read.add(payload.get().column());
    return switch (payload.get().format().toLowerCase(Locale.ROOT)) {
      case "json" -> json(declared, payload.get(), wanted, read, items, rawTable);
      case "csv" -> csv(declared, payload.get(), wanted, read, items, rawTable);
      case "text" -> text(declared, payload.get(), read, items, rawTable);
      default -> throw new IllegalArgumentException("no such format: " + payload.get().format());
    };
  }

  /** The name under which a query reaches a raw column of a stream with a payload. */
  public static String hiddenName(String rawName) {
    return rawName.startsWith("_") ? rawName : "_" + rawName;
  }

  private static Decoding typed(
      Schema raw,
      Schema declared,
      Set<String> wanted,
      Set<String> read,
      List<String> items,
      String rawTable) {
    List<String> errors = new ArrayList<>();
    List<Column> columns = declared.isEmpty() ? raw.columns() : declared.columns();
    for (Column column : columns) {
      boolean keep = wanted.contains(column.name());
      if (keep) {
        items.add(Sql.name(column.name()));
      }
      if (keep || column.required()) {
        read.add(column.name());
      }
      if (column.required()) {
        errors.add(
            "WHEN " + Sql.name(column.name()) + " IS NULL THEN " + Sql.text(missing(column)));
      }
    }
    items.add(errorCase(errors));
    return new Decoding("SELECT " + String.join(", ", items) + " FROM " + rawTable, read);
  }

  private static Decoding json(
      Schema declared,
      Payload payload,
      Set<String> wanted,
      Set<String> read,
      List<String> items,
      String rawTable) {
    StringBuilder structure = new StringBuilder();
    List<String> texts = new ArrayList<>();
    List<String> errors = new ArrayList<>();
    errors.add("WHEN __json IS NULL THEN coalesce(__problem, 'not valid JSON')");
    for (int i = 0; i < declared.columns().size(); i++) {
      Column column = declared.columns().get(i);
      String kind = column.type().equalsIgnoreCase("JSON") ? "JSON" : "VARCHAR";
      structure
          .append(i == 0 ? "" : ",")
          .append(jsonText(column.name()))
          .append(":\"")
          .append(kind)
          .append('"');
      String field = "__json." + Sql.name(column.name());
      if (column.type().toUpperCase(Locale.ROOT).startsWith("DECIMAL")
          && !column.type().endsWith("]")) {
        texts.add(
            TextCast.exactText(column.type(), column.name(), field, "__text") + " AS __t" + i);
        addColumn(column, "__t" + i, wanted, items, errors);
      } else {
        String text = kind.equals("JSON") ? "CAST(" + field + " AS VARCHAR)" : field;
        addColumn(column, text, wanted, items, errors);
      }
    }
    items.add(errorCase(errors));
    String value = Sql.name(payload.column());
    String decoded = "TRY(decode(" + value + "))";
    // A record is an object; json_valid first, because from_json fails on anything else.
    String select =
        "SELECT "
            + String.join(", ", items)
            + " FROM (SELECT *"
            + (texts.isEmpty() ? "" : ", " + String.join(", ", texts))
            + " FROM (SELECT *, CASE WHEN json_valid(__text) AND substr(ltrim(__text), 1, 1) = '{'"
            + " THEN from_json(__text, "
            + Sql.text("{" + structure + "}")
            + ") END AS __json, CASE WHEN "
            + value
            + " IS NULL THEN 'the value is null' WHEN __text IS NULL THEN 'not valid UTF-8' WHEN"
            + " json_valid(__text) THEN 'not a JSON object' END AS __problem FROM (SELECT *, "
            + decoded
            + " AS __text FROM "
            + rawTable
            + ")))";
    return new Decoding(select, read);
  }

  private static Decoding csv(
      Schema declared,
      Payload payload,
      Set<String> wanted,
      Set<String> read,
      List<String> items,
      String rawTable) {
    String fields = Sql.name(payload.column());
    List<String> errors = new ArrayList<>();
    errors.add("WHEN " + fields + " IS NULL THEN 'the value is null or not valid CSV'");
    errors.add(
        "WHEN len("
            + fields
            + ") <> "
            + declared.columns().size()
            + " THEN 'expected "
            + declared.columns().size()
            + " fields, found ' || len("
            + fields
            + ")");
    for (int i = 0; i < declared.columns().size(); i++) {
      String text = "nullif(" + fields + "[" + (i + 1) + "], '')";
      addColumn(declared.columns().get(i), text, wanted, items, errors);
    }
    items.add(errorCase(errors));
    return new Decoding("SELECT " + String.join(", ", items) + " FROM " + rawTable, read);
  }

  private static Decoding text(
      Schema declared, Payload payload, Set<String> read, List<String> items, String rawTable) {
    String value = Sql.name(payload.column());
    Column column = declared.isEmpty() ? Column.of("value", "VARCHAR") : declared.columns().get(0);
    items.add("TRY(decode(" + value + ")) AS " + Sql.name(column.name()));
    List<String> errors = new ArrayList<>();
    errors.add(
        "WHEN "
            + value
            + " IS NOT NULL AND TRY(decode("
            + value
            + ")) IS NULL THEN 'not valid UTF-8'");
    if (column.required()) {
      errors.add("WHEN " + value + " IS NULL THEN " + Sql.text(missing(column)));
    }
    items.add(errorCase(errors));
    return new Decoding("SELECT " + String.join(", ", items) + " FROM " + rawTable, read);
  }

  private static void addColumn(
      Column column, String text, Set<String> wanted, List<String> items, List<String> errors) {
    TextCast cast = TextCast.of(column.type(), text);
    if (wanted.contains(column.name())) {
      items.add(cast.value() + " AS " + Sql.name(column.name()));
    }
    if (column.required()) {
      errors.add("WHEN " + text + " IS NULL THEN " + Sql.text(missing(column)));
    }
    if (!cast.fits().equals("true")) {
      errors.add(
          "WHEN "
              + text
              + " IS NOT NULL AND NOT "
              + cast.fits()
              + " THEN "
              + Sql.text(column.name() + " is not a " + column.type()));
    }
  }

  private static String missing(Column column) {
    return column.name() + " is missing or null";
  }

  private static String errorCase(List<String> errors) {
    String value =
        errors.isEmpty() ? "CAST(NULL AS VARCHAR)" : "CASE " + String.join(" ", errors) + " END";
    return value + " AS " + ERROR;
  }

  private static String jsonText(String text) {
    return io.tidemill.protocol.Json.write(text);
  }
}
