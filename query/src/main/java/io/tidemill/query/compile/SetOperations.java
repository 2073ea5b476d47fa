package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.query.sql.DuckSql.SqlMistake;
import io.tidemill.query.sql.Select;
import io.tidemill.query.sql.TableRef;
import io.tidemill.query.sql.Tree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** UNION of streams, and EXCEPT of a static query from a stream. */
final class SetOperations {
  private final Context context;
  private final SelectCompiler selects;

  SetOperations(Context context, SelectCompiler selects) {
    this.context = context;
    this.selects = selects;
  }

  Relation compile(Select written, Scope scope, List<JsonNode> conditions) {
    Select query = byPosition(written, scope);
    String operation = query.setOperation().orElseThrow();
    List<Select> children = query.children();
    List<Boolean> streaming =
        children.stream().map(c -> selects.froms().streams(c.node(), scope)).toList();
    if (operation.equals("EXCEPT")
        && children.size() == 2
        && streaming.get(0)
        && !streaming.get(1)) {
      return except(children.get(0), children.get(1), scope, query.setAll(), conditions);
    }
    if (!operation.equals("UNION")) {
      throw context.error(
          ErrorCode.ILLEGAL_QUERY,
          children.get(children.size() - 1).node(),
          operation.equals("EXCEPT")
              ? "EXCEPT of a stream is not possible: a later row could take back what was emitted."
              : operation.replace('_', ' ')
                  + " of streams is not possible; only UNION and UNION ALL are.");
    }
    if (streaming.contains(false)) {
      throw context.error(
          ErrorCode.ILLEGAL_QUERY,
          children.get(streaming.indexOf(false)).node(),
          "A UNION of a stream with static rows is not possible: static rows would never end or"
              + " never repeat. Make both sides streams.");
    }
    List<List<JsonNode>> below = ofChildren(query, scope, conditions);
    List<Relation> relations = new ArrayList<>();
    for (int i = 0; i < children.size(); i++) {
      relations.add(selects.compile(children.get(i), scope, below.get(i)));
    }
    Relation union = union(relations);
    return query.setAll() ? union : selects.distinct(selects.filtered(union, conditions));
  }

  /** A UNION BY NAME as one by position: each side selects all columns, NULL for what it lacks. */
  private Select byPosition(Select query, Scope scope) {
    Shapes shapes = new Shapes(context);
    Optional<Schema> all =
        query.setOperation().filter("UNION_BY_NAME"::equals).isPresent()
            ? shapes.find(query, scope)
            : Optional.empty();
    if (all.isEmpty()) {
      return query;
    }
    List<Select> sides = new ArrayList<>();
    for (Select child : query.children()) {
      Schema own = shapes.find(child, scope).orElse(Schema.EMPTY);
      List<JsonNode> items = new ArrayList<>();
      for (Column column : all.get().columns()) {
        JsonNode item =
            own.find(column.name()).isPresent()
                ? Tree.column(column.name())
                : context.nullOf(column.type(), false);
        items.add(Tree.aliased(item, column.name()));
      }
      Select side = context.parsed("SELECT 1 FROM (SELECT 1) AS q");
      side.setSelectList(items);
      new TableRef(side.from()).setSubquery(child);
      sides.add(side);
    }
    return query.withUnionOf(sides);
  }

  /** Conditions over a union in terms of each child's columns, which it takes by position. */
  private List<List<JsonNode>> ofChildren(Select query, Scope scope, List<JsonNode> conditions) {
    Shapes shapes = new Shapes(context);
    Optional<Schema> union = conditions.isEmpty() ? Optional.empty() : shapes.find(query, scope);
    List<List<JsonNode>> below = new ArrayList<>();
    for (Select child : query.children()) {
      Optional<Schema> columns = union.isEmpty() ? union : shapes.find(child, scope);
      below.add(columns.map(c -> positioned(conditions, union.get(), c)).orElse(List.of()));
    }
    return below;
  }

  /** Conditions on columns that keep their type in the union. */
  private static List<JsonNode> positioned(List<JsonNode> conditions, Schema union, Schema child) {
    List<String> names = new ArrayList<>();
    List<String> same = new ArrayList<>();
    for (int i = 0; i < union.columns().size(); i++) {
      Column from = child.columns().get(i);
      if (from.type().equals(union.columns().get(i).type())) {
        names.add(union.columns().get(i).name());
        same.add(from.name());
      }
    }
    return Filters.renamed(conditions, names, same);
  }

  private Relation union(List<Relation> relations) {
    Schema columns = commonColumns(relations);
    List<Origin.Branch> branches = new ArrayList<>();
    for (Relation relation : relations) {
      List<String> items = new ArrayList<>();
      for (int i = 0; i < columns.columns().size(); i++) {
        Column to = columns.columns().get(i);
        Column from = relation.columns().columns().get(i);
        items.add(
            (from.type().equals(to.type())
                    ? Sql.name(from.name())
                    : "CAST(" + Sql.name(from.name()) + " AS " + to.type() + ")")
                + " AS "
                + Sql.name(to.name()));
      }
      branches.addAll(
          context.wrap(
              relation.branches(),
              "SELECT " + String.join(", ", items) + " FROM " + Froms.MARKER + " AS r"));
    }
    return new Relation(branches, columns, commonTimes(relations, columns), Set.of());
  }

  private static Map<String, String> commonTimes(List<Relation> relations, Schema columns) {
    Map<String, String> times = new HashMap<>();
    for (int i = 0; i < columns.columns().size(); i++) {
      int column = i;
      Set<String> templates =
          relations.stream()
              .map(r -> r.time(r.columns().columns().get(column).name()).orElse(""))
              .collect(Collectors.toSet());
      String template = templates.iterator().next();
      if (templates.size() == 1 && !template.isEmpty()) {
        times.put(Context.lower(columns.columns().get(i).name()), template);
      }
    }
    return times;
  }

  private Schema commonColumns(List<Relation> relations) {
    String sql =
        relations.stream()
            .map(
                r ->
                    "SELECT "
                        + r.columns().columns().stream()
                            .map(c -> "CAST(NULL AS " + c.type() + ") AS " + Sql.name(c.name()))
                            .collect(Collectors.joining(", ")))
            .collect(Collectors.joining(" UNION ALL "));
    try {
      return context.sql.describe(sql);
    } catch (SqlMistake e) {
      throw context.error(ErrorCode.ILLEGAL_QUERY, null, e.getMessage());
    }
  }

  /** Rows of the stream that the static side lacks, each once: an anti join and a DISTINCT. */
  private Relation except(
      Select stream, Select statics, Scope scope, boolean all, List<JsonNode> conditions) {
    if (all) {
      throw context.error(
          ErrorCode.ILLEGAL_QUERY, statics.node(), "EXCEPT ALL is not possible on a stream.");
    }
    if (context.mode != OutputMode.UPDATE) {
      throw context.error(
          ErrorCode.ILLEGAL_QUERY,
          statics.node(),
          "EXCEPT on a stream is possible in output mode update only.");
    }
    Relation left = selects.filtered(selects.compile(stream, scope, conditions), conditions);
    List<String> names = left.columns().names();
    List<String> aliases = new ArrayList<>();
    List<String> equal = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      aliases.add("c" + i);
      equal.add("l." + Sql.name(names.get(i)) + " IS NOT DISTINCT FROM r.c" + i);
    }
    String text =
        "SELECT l.* FROM "
            + Froms.MARKER
            + " AS l WHERE NOT EXISTS (SELECT 1 FROM ("
            + context.sql.text(statics)
            + ") AS r("
            + String.join(", ", aliases)
            + ") WHERE "
            + String.join(" AND ", equal)
            + ")";
    List<Origin.Branch> branches = context.wrap(left.branches(), text);
    if (context.describe(branches.get(0)).columns().size() != names.size()) {
      throw new TidemillException(ErrorCode.INTERNAL, "EXCEPT changed the columns of a stream.");
    }
    return selects.distinct(new Relation(branches, left.columns(), left.times(), left.hidden()));
  }
}
