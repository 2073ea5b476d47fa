package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.query.job.QueryText;
import io.tidemill.query.plan.OwnNames;
import io.tidemill.query.plan.SourcePlan;
import io.tidemill.query.plan.StatefulOperator;
import io.tidemill.query.sql.DuckSql;
import io.tidemill.query.sql.DuckSql.SqlMistake;
import io.tidemill.query.sql.Select;
import io.tidemill.query.sql.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * What the compilation of one query shares: the checker, the catalog, and what was found so far.
 */
final class Context {
  final DuckSql sql;
  final Catalog catalog;
  final QueryText text;
  final OutputMode mode;
  final List<Scanned> scans = new ArrayList<>();

  private int typeTables;

  /**
   * A reference to a stream.
   *
   * @param columns names of the columns the query uses, hidden ones included
   * @param eventTime its event time, declared or given by with_watermark
   * @param watermarkConditions what a row must meet to move the watermark
   */
  record Scanned(
      Catalog.StreamEntry stream,
      List<String> columns,
      Optional<SourcePlan.EventTime> eventTime,
      List<String> watermarkConditions) {}

  Context(DuckSql sql, Catalog catalog, QueryText text, OutputMode mode) {
    this.sql = sql;
    this.catalog = catalog;
    this.text = text;
    this.mode = mode;
  }

  /**
   * A fresh reference to a stream, with the columns that the query names.
   *
   * @param conditions what a row must meet to count for the query, over {@link Filters#ROW}
   */
  Relation scan(
      Catalog.StreamEntry stream, java.util.Set<String> namesInQuery, List<JsonNode> conditions) {
    List<Column> columns = new ArrayList<>();
    for (Column column : stream.visible().columns()) {
      boolean named = namesInQuery.contains("*") || namesInQuery.contains(lower(column.name()));
      boolean time =
          stream.eventTime().map(e -> e.column().equalsIgnoreCase(column.name())).orElse(false);
      if (named || time) {
        columns.add(column);
      }
    }
    if (columns.isEmpty()) {
      columns.add(stream.visible().columns().get(0));
    }
    TreeSet<String> hidden = new TreeSet<>();
    for (Column column : stream.hidden().columns()) {
      if (namesInQuery.contains(lower(column.name()))) {
        columns.add(column);
        hidden.add(lower(column.name()));
      }
    }
    Schema schema = new Schema(columns);
    Origin.Scan origin = new Origin.Scan(scans.size(), schema, typeTable(schema));
    scans.add(
        new Scanned(
            stream,
            schema.names(),
            stream.eventTime(),
            new WatermarkConditions(this, stream.eventTime(), schema).of(conditions)));
    java.util.Map<String, String> times =
        stream
            .eventTime()
            .map(e -> java.util.Map.of(lower(e.column()), "{}"))
            .orElse(java.util.Map.of());
    return new Relation(List.of(Origin.Branch.of(origin)), schema, times, hidden);
  }

  /**
   * Gives a reference to a stream an event time in a column of a branch over it. Gives the origin
   * whose rows are those of the branch.
   *
   * @param time the column and how late rows may be; its rows are not known yet
   * @param conditions what a row of the branch must meet to count, over {@link Filters#ROW}
   */
  Origin.Scan timed(
      Origin.Scan scan,
      SourcePlan.EventTime time,
      Origin.Branch branch,
      Schema columns,
      List<JsonNode> conditions) {
    Optional<String> rows = branch.isPlain() ? Optional.empty() : Optional.of(branch.sql());
    Scanned before = scans.get(scan.source());
    Optional<SourcePlan.EventTime> seen =
        Optional.of(new SourcePlan.EventTime(time.column(), time.delayMillis(), rows));
    scans.set(
        scan.source(),
        new Scanned(
            before.stream(),
            before.columns(),
            seen,
            new WatermarkConditions(this, seen, columns).of(conditions)));
    return branch.isPlain() ? scan : new Origin.Scan(scan.source(), columns, typeTable(columns));
  }

  /** An operator over a relation. */
  Origin.Operator operator(
      Optional<StatefulOperator> operator, List<Origin.Branch> inputs, Schema output) {
    return new Origin.Operator(operator, inputs, output, typeTable(output));
  }

  private String typeTable(Schema schema) {
    String name = "__type_" + typeTables++;
    try {
      sql.createTable(name, schema);
    } catch (SqlMistake e) {
      throw new TidemillException(
              ErrorCode.INTERNAL, "A relation's columns have no valid types.", e)
          .with("columns", schema.ddl());
    }
    return name;
  }

  /** Columns of a SELECT over an origin's rows. */
  Schema describe(Origin.Branch branch) {
    try {
      return sql.describe(
          "WITH "
              + OwnNames.INPUT
              + " AS (SELECT * FROM "
              + branch.origin().typeTable()
              + ") SELECT * FROM ("
              + branch.sql()
              + ")");
    } catch (SqlMistake e) {
      throw error(ErrorCode.ILLEGAL_QUERY, null, e.getMessage());
    }
  }

  /** A SELECT around each branch; {@code {}} in the SQL stands for the branch as a table. */
  List<Origin.Branch> wrap(List<Origin.Branch> branches, String sql) {
    return branches.stream()
        .map(
            b ->
                new Origin.Branch(
                    b.origin(),
                    sql.replace(Froms.MARKER, b.isPlain() ? OwnNames.INPUT : "(" + b.sql() + ")")))
        .toList();
  }

  /**
   * The relation with columns that Parquet keeps whole: DuckDB writes HUGEINT, the type of a sum of
   * whole numbers, as DOUBLE and loses digits, so it becomes DECIMAL(38,0).
   */
  Relation storable(Relation relation) {
    return storable(relation, relation.columns().columns().size());
  }

  /** The relation with its first columns such that Parquet keeps them whole. */
  Relation storable(Relation relation, int count) {
    boolean fine =
        relation.columns().columns().stream().limit(count).noneMatch(c -> isHuge(c.type()));
    if (fine) {
      return relation;
    }
    List<Column> columns = new ArrayList<>();
    List<String> items = new ArrayList<>();
    for (Column column : relation.columns().columns()) {
      String name = Sql.name(column.name());
      boolean changed = columns.size() < count && isHuge(column.type());
      String type = changed ? storableType(column.type()) : column.type();
      columns.add(new Column(column.name(), type, column.required()));
      items.add(changed ? "CAST(" + name + " AS " + type + ") AS " + name : name);
    }
    return new Relation(
        wrap(
            relation.branches(),
            "SELECT " + String.join(", ", items) + " FROM " + Froms.MARKER + " AS r"),
        new Schema(columns),
        relation.times(),
        relation.hidden());
  }

  private static boolean isHuge(String type) {
    return type.contains("HUGEINT");
  }

  /** The type that keeps values of a type whole in files. */
  static String storableType(String type) {
    return type.replace("UHUGEINT", "HUGEINT").replace("HUGEINT", "DECIMAL(38,0)");
  }

  /** A null of a type, or of unknown type. */
  JsonNode nullOf(String type, boolean untyped) {
    try {
      return sql.parseExpression(untyped ? "NULL" : "CAST(NULL AS " + type + ")");
    } catch (SqlMistake e) {
      throw new TidemillException(ErrorCode.INTERNAL, "A column has no valid type.", e);
    }
  }

  /** The tree of a SELECT that was generated here. */
  Select parsed(String select) {
    try {
      return sql.parse(select);
    } catch (SqlMistake e) {
      throw new TidemillException(ErrorCode.INTERNAL, "A generated query did not parse.", e);
    }
  }

  /** Index of a relation's column that a node of the query names. */
  int column(Relation relation, String name, JsonNode node) {
    return relation
        .columns()
        .find(name)
        .map(relation.columns().columns()::indexOf)
        .orElseThrow(
            () ->
                error(
                    ErrorCode.UNKNOWN_NAME,
                    node,
                    "There is no column '"
                        + name
                        + "'."
                        + Nearest.hint(name, relation.columns().names())));
  }

  /** An error at a node of the query, or at its start. */
  TidemillException error(ErrorCode code, JsonNode node, String message) {
    long place = node == null ? -1 : Tree.place(node);
    return text.error(code, place, node == null ? 1 : Tree.length(node), message);
  }

  static String lower(String name) {
    return name.toLowerCase(java.util.Locale.ROOT);
  }
}
