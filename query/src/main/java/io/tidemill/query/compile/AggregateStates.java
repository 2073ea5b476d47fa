package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.query.plan.AggregateState;
import io.tidemill.query.sql.DuckSql.SqlMistake;
import io.tidemill.query.sql.Tree;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Chooses how an aggregate call keeps its partial result: its own value where values merge by the
 * same function; else DuckDB's exported state where there is one; else, and for DISTINCT and ORDER
 * BY, the list of its arguments, aggregated anew for each result.
 */
final class AggregateStates {
  /** Functions of one argument for which the value of some values is the value of all. */
  private static final Set<String> SELF_MERGING =
      Set.of("min", "max", "any_value", "bool_and", "bool_or", "bit_and", "bit_or", "bit_xor");

  private final Context context;
  private final Schema input;
  private final ExportedStates exported;

  /**
   * @param input columns k0, k1, …, x0, x1, … that the calls refer to
   */
  AggregateStates(Context context, Schema input) {
    this.context = context;
    this.input = input;
    this.exported = new ExportedStates(context.sql, input);
  }

  AggregateState of(String name, JsonNode call) {
    String text = context.sql.text(call);
    String resultType = resultType(text, call);
    boolean plain =
        !call.path("distinct").asBoolean() && call.path("order_bys").path("orders").isEmpty();
    if (plain && SELF_MERGING.contains(Tree.function(call)) && Tree.arguments(call).size() == 1) {
      return selfMerging(name, call, text, resultType);
    }
    Optional<AggregateState> state =
        plain ? exported.of(name, call, text, resultType) : Optional.empty();
    return state.orElseGet(() -> listed(name, call, text, resultType));
  }

  private String resultType(String text, JsonNode call) {
    try {
      return context
          .sql
          .describe("SELECT " + text + " AS r FROM (" + nulls(input) + ")")
          .columns()
          .get(0)
          .type();
    } catch (SqlMistake e) {
      throw context.error(ErrorCode.ILLEGAL_QUERY, call, e.getMessage());
    }
  }

  /** A row of nulls with the columns. */
  static String nulls(Schema columns) {
    return columns.columns().stream()
        .map(c -> "CAST(NULL AS " + c.type() + ") AS " + Sql.name(c.name()))
        .collect(Collectors.joining(", ", "SELECT ", ""));
  }

  private AggregateState selfMerging(String name, JsonNode call, String text, String resultType) {
    String storage = Context.storableType(resultType);
    boolean same = storage.equals(resultType);
    String own = same ? AggregateState.COLUMN : cast(resultType);
    String merged = Tree.function(call) + "(" + own + ")";
    return new AggregateState(
        name,
        text,
        storage,
        same ? text : "CAST(" + text + " AS " + storage + ")",
        same ? merged : "CAST(" + merged + " AS " + storage + ")",
        Optional.empty(),
        own,
        resultType);
  }

  private static String cast(String type) {
    return "CAST(" + AggregateState.COLUMN + " AS " + type + ")";
  }

  /** Keeps the arguments themselves. For DISTINCT without an order, each combination once. */
  private AggregateState listed(String name, JsonNode call, String text, String resultType) {
    TreeSet<String> columns = new TreeSet<>();
    Tree.walkExpression(
        call,
        n -> {
          if (Tree.isColumn(n)) {
            columns.add(Tree.names(n).get(0));
          }
        });
    String filter =
        call.path("filter").isObject()
            ? " FILTER (WHERE " + context.sql.text(call.get("filter")) + ")"
            : "";
    boolean distinct =
        call.path("distinct").asBoolean() && call.path("order_bys").path("orders").isEmpty();
    String fields =
        columns.isEmpty()
            ? "x := true"
            : columns.stream().map(c -> c + " := " + c).collect(Collectors.joining(", "));
    String listType =
        columns.isEmpty()
            ? "STRUCT(x BOOLEAN)[]"
            : columns.stream()
                .map(c -> Sql.name(c) + " " + input.find(c).get().type())
                .collect(Collectors.joining(", ", "STRUCT(", ")[]"));
    String own = context.sql.canonicalType(listType).orElse(listType);
    String storage = Context.storableType(own);
    String list = "list(" + (distinct ? "DISTINCT " : "") + "struct_pack(" + fields + "))" + filter;
    String merge = "flatten(list(" + AggregateState.COLUMN + "))";
    return new AggregateState(
        name,
        text,
        storage,
        storage.equals(own) ? list : "CAST(" + list + " AS " + storage + ")",
        distinct ? "list_distinct(" + merge + ")" : merge,
        Optional.empty(),
        overList(call, storage.equals(own) ? AggregateState.COLUMN : cast(own)),
        resultType);
  }

  /** The call over the elements of a list of its arguments. */
  private String overList(JsonNode call, String list) {
    ObjectNode plain = call.deepCopy();
    plain.putNull("filter");
    JsonNode overFields =
        Tree.replace(
            plain,
            n ->
                Tree.isColumn(n)
                    ? Optional.of(Tree.column("u", Tree.names(n).get(0)))
                    : Optional.empty());
    return "(SELECT " + context.sql.text(overFields) + " FROM (SELECT unnest(" + list + ") AS u))";
  }
}
