package io.tidemill.engine.decode;

import io.tidemill.connectors.SourceConnector.Payload;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The SQL that turns raw records into a stream's columns.
 *
 * @param select a SELECT over {@link #RAW}: the columns used, hidden ones included, {@code
 *     __tidemill_error} with what is wrong with the record, or null, and the report columns, filled
 *     for malformed records only
 * @param rawColumns raw columns that the SELECT reads
 * @param columns the columns used, as they stand in SQL
 */
public record Decoding(String select, Set<String> rawColumns, List<String> columns) {
  /** Column with what is wrong with a record. */
  public static final String ERROR = "__tidemill_error";

  /** Stands for the raw records after FROM. */
  private static final String RAW = "tidemill_raw_records";

  /** The SELECT over the given table or subquery. */
  public String over(String records) {
    // What stands behind it is no name of the job's.
    int at = select.lastIndexOf(RAW);
    return select.substring(0, at) + records + select.substring(at + RAW.length());
  }

  /** The name under which a query reaches a raw column of a stream with a payload. */
  public static String hiddenName(String rawName) {
    return rawName.startsWith("_") ? rawName : "_" + rawName;
  }

  /**
   * Plans the decoding of a stream.
   *
   * @param raw columns as read
   * @param declared columns of the stream, empty for the raw ones
   * @param payload how the payload becomes columns; empty if the raw columns are typed already
   * @param used columns the query uses, hidden ones included, compared without case
   * @param reports names and expressions over raw columns of further columns, null for good records
   */
  public static Decoding plan(
      Schema raw,
      Schema declared,
      Optional<Payload> payload,
      Set<String> used,
      Map<String, String> reports) {
    return new Planning(raw, declared, payload, used).plan(reports);
  }

  private static final class Planning {
    private final Schema raw;
    private final Schema declared;
    private final Optional<Payload> payload;
    private final TreeSet<String> wanted = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    private final TreeSet<String> read = new TreeSet<>();
    private final List<String> items = new ArrayList<>();
    private final List<String> columns = new ArrayList<>();
    private final List<String> errors = new ArrayList<>();
    private final List<Column> inside = new ArrayList<>();

    Planning(Schema raw, Schema declared, Optional<Payload> payload, Set<String> used) {
      this.raw = raw;
      this.declared = declared;
      this.payload = payload;
      this.wanted.addAll(used);
    }

    Decoding plan(Map<String, String> reports) {
      addHidden();
      String records = payload.isEmpty() ? typed() : decoded(payload.get());
      items.add(ERROR);
      reports.forEach(
          (name, expression) -> {
            addMentioned(expression);
            items.add("CASE WHEN " + ERROR + " IS NOT NULL THEN " + expression + " END AS " + name);
          });
      String error =
          errors.isEmpty() ? "CAST(NULL AS VARCHAR)" : "CASE " + String.join(" ", errors) + " END";
      return new Decoding(
          "SELECT "
              + String.join(", ", items)
              + " FROM (SELECT *, "
              + error
              + " AS "
              + ERROR
              + " FROM "
              + records
              + ")",
          read,
          columns);
    }

    private void add(String expression, String column) {
      String name = Sql.name(column);
      items.add(expression.equals(name) ? name : expression + " AS " + name);
      columns.add(name);
    }

    private void addHidden() {
      for (Column column : raw.columns()) {
        String hidden = hiddenName(column.name());
        boolean visible =
            declared.find(hidden).isPresent()
                || (payload.isEmpty() && declared.isEmpty() && column.name().equals(hidden));
        if (wanted.contains(hidden) && !visible) {
          read.add(column.name());
          add(Sql.name(column.name()), hidden);
        }
      }
    }

    private void addMentioned(String expression) {
      for (Column column : raw.columns()) {
        if (Pattern.compile("\\b" + Pattern.quote(column.name()) + "\\b")
            .matcher(expression)
            .find()) {
          read.add(column.name());
        }
      }
    }

    private String decoded(Payload of) {
      read.add(of.column());
      for (Column column : declared.columns()) {
        if (of.beside().stream().anyMatch(column.name()::equalsIgnoreCase)) {
          addTyped(column);
        } else {
          inside.add(column);
        }
      }
      return switch (of.format().toLowerCase(Locale.ROOT)) {
        case "json" -> json(Sql.name(of.column()));
        case "csv" -> csv(Sql.name(of.column()));
        case "text" -> text(Sql.name(of.column()));
        default -> throw new IllegalArgumentException("no such format: " + of.format());
      };
    }

    private String typed() {
      List<Column> columns = declared.isEmpty() ? raw.columns() : declared.columns();
      columns.forEach(this::addTyped);
      return RAW;
    }

    /** A column that is typed in the raw records already. */
    private void addTyped(Column column) {
      boolean keep = wanted.contains(column.name());
      if (keep) {
        add(Sql.name(column.name()), column.name());
      }
      if (keep || column.required()) {
        read.add(column.name());
      }
      if (column.required()) {
        errors.add(
            "WHEN " + Sql.name(column.name()) + " IS NULL THEN " + Sql.text(missing(column)));
      }
    }

    private String json(String value) {
      List<String> structure = new ArrayList<>();
      List<String> texts = new ArrayList<>();
      texts.add("*");
      errors.add(
          "WHEN __tidemill_json IS NULL THEN coalesce(__tidemill_problem, 'not valid JSON')");
      for (int i = 0; i < inside.size(); i++) {
        Column column = inside.get(i);
        boolean isJson = column.type().equalsIgnoreCase("JSON");
        structure.add(Json.write(column.name()) + ":" + (isJson ? "\"JSON\"" : "\"VARCHAR\""));
        String field = "__tidemill_json." + Sql.name(column.name());
        String text = isJson ? "CAST(" + field + " AS VARCHAR)" : field;
        boolean decimal = column.type().toUpperCase(Locale.ROOT).matches("DECIMAL[^\\]]*");
        if (decimal) {
          text = "__tidemill_text_" + i;
          texts.add(
              TextCast.exactText(column.type(), column.name(), field, "__tidemill_text")
                  + " AS "
                  + text);
        }
        addColumn(column, text);
      }
      String fields = Sql.text("{" + String.join(",", structure) + "}");
      // A record is an object; json_valid first, because from_json fails on anything else.
      return "(SELECT "
          + String.join(", ", texts)
          + " FROM (SELECT *, CASE WHEN json_valid(__tidemill_text) AND substr(ltrim(__tidemill_text), 1, 1) = '{'"
          + " THEN from_json(__tidemill_text, "
          + fields
          + ") END AS __tidemill_json, CASE WHEN "
          + value
          + " IS NULL THEN 'the value is null' WHEN __tidemill_text IS NULL THEN 'not valid UTF-8' WHEN"
          + " json_valid(__tidemill_text) THEN 'not a JSON object' END AS __tidemill_problem FROM (SELECT *, TRY(decode("
          + value
          + ")) AS __tidemill_text FROM "
          + RAW
          + ")))";
    }

    private String csv(String fields) {
      String problem = raw.find("_problem").isPresent() ? "_problem" : "CAST(NULL AS VARCHAR)";
      addMentioned(problem);
      errors.add(
          "WHEN "
              + fields
              + " IS NULL THEN coalesce("
              + problem
              + ", 'the value is null or not valid CSV')");
      errors.add(
          "WHEN len("
              + fields
              + ") <> "
              + inside.size()
              + " THEN 'expected "
              + inside.size()
              + " fields, found ' || len("
              + fields
              + ")");
      for (int i = 0; i < inside.size(); i++) {
        addColumn(inside.get(i), fields + "[" + (i + 1) + "]");
      }
      return RAW;
    }

    private String text(String value) {
      Column column = inside.isEmpty() ? Column.of("value", "VARCHAR") : inside.get(0);
      add("__tidemill_text", column.name());
      errors.add(
          "WHEN " + value + " IS NOT NULL AND __tidemill_text IS NULL THEN 'not valid UTF-8'");
      if (column.required()) {
        errors.add("WHEN " + value + " IS NULL THEN " + Sql.text(missing(column)));
      }
      return "(SELECT *, TRY(decode(" + value + ")) AS __tidemill_text FROM " + RAW + ")";
    }

    private void addColumn(Column column, String text) {
      TextCast cast = TextCast.of(column.type(), text);
      if (wanted.contains(column.name())) {
        add(cast.value(), column.name());
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
  }
}
