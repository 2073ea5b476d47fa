package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.query.plan.OwnNames;
import io.tidemill.query.sql.Select;
import io.tidemill.query.sql.TableRef;
import io.tidemill.query.sql.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the streaming part of a FROM clause and puts a marker in its place. Nodes of the parse tree
 * are told apart by identity: two equal ones stand for two references.
 */
@SuppressWarnings("ReferenceEquality")
final class Froms {
  /** Table name that stands for the stage's rows while a query is rewritten. */
  static final String MARKER = OwnNames.PREFIX + "rows";

  /** What a streaming subquery without a name is called. */
  static final String SUBQUERY = "subquery";

  static final Set<String> WINDOWS = Set.of("tumble", "hop", "session");
  static final Set<String> DEDUPLICATIONS =
      Set.of("drop_duplicates", "drop_duplicates_within_watermark");

  private static final String WATERMARK = "with_watermark";

  private final Context context;

  Froms(Context context) {
    this.context = context;
  }

  /**
   * A FROM clause whose streaming part has been replaced.
   *
   * @param from the clause with the marker
   * @param leaf what the marker stands for
   * @param alias what the query calls it
   */
  record Resolved(JsonNode from, Relation leaf, String alias) {}

  /** Compiles the FROM clause of a query that has at least one streaming part. */
  Resolved resolve(Filters.Moved query, Scope scope, SelectCompiler selects) {
    TableRef from = new TableRef(query.query().from());
    List<TableRef> streaming = new ArrayList<>();
    leaves(from, scope, streaming);
    if (streaming.size() > 1) {
      throw context.error(
          ErrorCode.UNSUPPORTED,
          streaming.get(1).node(),
          "A join of two streams is not supported yet; join the stream with a static table, or"
              + " combine streams with UNION ALL.");
    }
    TableRef leaf = streaming.get(0);
    checkJoins(from, leaf);
    List<JsonNode> conditions = query.at(context, leaf);
    if (!leaf.columnAliases().isEmpty() && !conditions.isEmpty()) {
      conditions = withoutAliases(leaf, scope, conditions);
    }
    Named named = relation(leaf, scope, selects, conditions);
    String alias = leaf.alias().isEmpty() ? named.name() : leaf.alias();
    ObjectNode marker = TableRef.table(MARKER, alias, leaf.columnAliases());
    JsonNode replaced =
        Tree.replace(
            from.node(), n -> n == leaf.node() ? Optional.of((JsonNode) marker) : Optional.empty());
    Relation relation = named.relation();
    if (!leaf.columnAliases().isEmpty()) {
      relation = withColumnAliases(relation, leaf.columnAliases());
    }
    return new Resolved(replaced, relation, alias);
  }

  private record Named(Relation relation, String name) {}

  private Named relation(
      TableRef ref, Scope scope, SelectCompiler selects, List<JsonNode> conditions) {
    if (ref.isTable()) {
      return new Named(byName(ref.table(), scope, selects, conditions), ref.table());
    }
    if (ref.isSubquery()) {
      return new Named(selects.compile(ref.subquery(), scope, conditions), SUBQUERY);
    }
    return byFunction(ref.function(), scope, selects, conditions);
  }

  private Relation byName(
      String name, Scope scope, SelectCompiler selects, List<JsonNode> conditions) {
    Optional<Scope.Named> query = scope.find(name);
    if (query.isPresent()) {
      return selects.compileNamed(query.get(), conditions);
    }
    return context.scan(context.catalog.streams.get(name), selects.namesInQuery(), conditions);
  }

  private Named byFunction(
      JsonNode function, Scope scope, SelectCompiler selects, List<JsonNode> conditions) {
    String name = Tree.function(function);
    List<JsonNode> arguments = Tree.arguments(function);
    if (arguments.isEmpty()) {
      throw context.error(
          ErrorCode.JOB_SYNTAX, function, name + " needs a stream as its first argument.");
    }
    JsonNode first = arguments.get(0);
    List<JsonNode> below =
        WINDOWS.contains(name) ? Windows.below(conditions) : Deduplications.below();
    Named input =
        Tree.isColumn(first)
            ? new Named(
                byName(Tree.names(first).get(0), scope, selects, below), Tree.names(first).get(0))
            : byFunction(first, scope, selects, below);
    List<JsonNode> rest = arguments.subList(1, arguments.size());
    Relation result =
        WINDOWS.contains(name)
            ? new Windows(context).byFunction(name, input.relation(), function, rest)
            : name.equals(WATERMARK)
                ? new EventTimes(context).compile(input.relation(), function, rest, conditions)
                : new Deduplications(context).compile(name, input.relation(), function, rest);
    return new Named(result, input.name());
  }

  /** Conditions over a table in terms of the names its columns had before they got aliases. */
  private List<JsonNode> withoutAliases(TableRef ref, Scope scope, List<JsonNode> conditions) {
    ObjectNode plain = ref.node().deepCopy();
    plain.putArray("column_name_alias");
    return new Shapes(context)
        .find(Tree.star(""), plain, scope)
        .map(Schema::names)
        .map(c -> Filters.renamed(conditions, Filters.aliased(c, ref.columnAliases()), c))
        .orElse(List.of());
  }

  private static Relation withColumnAliases(Relation relation, List<String> aliases) {
    Map<String, String> names = new java.util.LinkedHashMap<>();
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < relation.columns().columns().size(); i++) {
      Column column = relation.columns().columns().get(i);
      String name = i < aliases.size() ? aliases.get(i) : column.name();
      names.put(name, column.name());
      columns.add(Column.of(name, column.type()));
    }
    return new Relation(
        relation.branches(),
        new Schema(columns),
        Relation.renamed(relation.times(), names),
        relation.hidden());
  }

  private void leaves(TableRef ref, Scope scope, List<TableRef> found) {
    if (ref.isJoin()) {
      leaves(ref.left(), scope, found);
      leaves(ref.right(), scope, found);
    } else if (streams(ref.node(), scope)) {
      found.add(ref);
    }
  }

  /** Whether a function's first argument is a stream. */
  static boolean isStreamFunction(String name) {
    return WINDOWS.contains(name) || DEDUPLICATIONS.contains(name) || name.equals(WATERMARK);
  }

  /** Names of the functions over a stream. */
  static Set<String> streamFunctions() {
    Set<String> names = new TreeSet<>(WINDOWS);
    names.addAll(DEDUPLICATIONS);
    names.add(WATERMARK);
    return names;
  }

  /** Whether a piece of the parse tree names a stream, directly or through a common table. */
  boolean streams(JsonNode node, Scope scope) {
    Scope inner = scope;
    if (node.has("cte_map")) {
      inner = scope.with(Select.of(node).commonTables());
    }
    String type = Tree.type(node);
    if (type.equals("BASE_TABLE")) {
      return isStream(new TableRef(node).table(), inner);
    }
    if (Tree.isFunction(node)
        && isStreamFunction(Tree.function(node))
        && !Tree.arguments(node).isEmpty()
        && Tree.isColumn(Tree.arguments(node).get(0))) {
      return isStream(Tree.names(Tree.arguments(node).get(0)).get(0), inner);
    }
    java.util.Iterator<Map.Entry<String, JsonNode>> fields = node.fields();
    while (fields.hasNext()) {
      Map.Entry<String, JsonNode> field = fields.next();
      if (!field.getKey().equals("cte_map") && streams(field.getValue(), inner)) {
        return true;
      }
    }
    if (node.isArray()) {
      for (JsonNode child : node) {
        if (streams(child, inner)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean isStream(String name, Scope scope) {
    Optional<Scope.Named> named = scope.find(name);
    return named.isPresent()
        ? streams(named.get().query().node(), named.get().scope())
        : context.catalog.streams.containsKey(name);
  }

  private void checkJoins(TableRef from, TableRef leaf) {
    if (!from.isJoin()) {
      return;
    }
    boolean left = contains(from.left(), leaf);
    String type = from.joinType();
    String side = left ? "left" : "right";
    boolean legal =
        switch (type) {
          case "INNER" -> true;
          case "LEFT", "SEMI", "ANTI" -> left;
          case "RIGHT" -> !left;
          default -> false;
        };
    if (!legal) {
      throw context.error(
          ErrorCode.ILLEGAL_QUERY,
          from.node(),
          (type.equals("ANTI") ? "An " : "A ")
              + (type.equals("OUTER") ? "FULL" : type)
              + " join with the stream on the "
              + side
              + " and a static table on the other side is not possible: rows of the static table"
              + " without a partner could never be decided. Use an inner join, or an outer join"
              + " that keeps the rows of the stream.");
    }
    checkJoins(left ? from.left() : from.right(), leaf);
  }

  /** Whether two nodes are one and the same reference. */
  static boolean isSame(JsonNode a, JsonNode b) {
    return a == b;
  }

  static boolean contains(TableRef ref, TableRef leaf) {
    return ref.node() == leaf.node()
        || (ref.isJoin() && (contains(ref.left(), leaf) || contains(ref.right(), leaf)));
  }

  /** The error for a table name nobody defined. */
  TidemillException unknown(String name, JsonNode node, Scope scope) {
    Set<String> known = new TreeSet<>(context.catalog.names());
    known.addAll(scope.all().keySet());
    return context.error(
        ErrorCode.UNKNOWN_NAME,
        node,
        "There is no stream, table or view '" + name + "'." + Nearest.hint(name, known));
  }
}
