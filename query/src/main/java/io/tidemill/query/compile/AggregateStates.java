package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.query.plan.AggregateState;
import io.tidemill.query.sql.DuckSql.SqlMistake;
import io.tidemill.query.sql.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Chooses how an aggregate call keeps its partial result: DuckDB's exported state where there is
 * one; otherwise, and for DISTINCT and ORDER BY, the list of its arguments, aggregated anew for
 * each result.
 */
final class AggregateStates {
  /** DuckDB names the state's layout when asked to read one from a value of another type. */
  private static final Pattern LAYOUT =
      Pattern.compile("Unimplemented type for cast \\(BLOB -> (.*)\\)", Pattern.DOTALL);

  /** Functions whose result is their state, and which merge their own results. */
  private static final Set<String> OWN_STATE =
      Set.of("min", "max", "bool_and", "bool_or", "bit_and", "bit_or", "bit_xor");

  private static final Pattern BOUND = Pattern.compile("bound=\\[(.*?)] requested=");

  private final Context context;
  private final Schema input;

  /**
   * @param input columns k0, k1, …, x0, x1, … that the calls refer to
   */
  AggregateStates(Context context, Schema input) {
    this.context = context;
    this.input = input;
  }

  AggregateState of(String name, JsonNode call) {
    String text = context.sql.text(call);
    String resultType = resultType(text, call);
    boolean plain =
        !call.path("distinct").asBoolean() && call.path("order_bys").path("orders").isEmpty();
    if (plain && OWN_STATE.contains(Tree.function(call)) && Tree.arguments(call).size() == 1) {
      String merge = Tree.function(call) + "({})";
      return new AggregateState(name, text, resultType, text, merge, "{}", resultType);
    }
    Optional<AggregateState> exported =
        plain ? exported(name, call, text, resultType) : Optional.empty();
    return exported.orElseGet(() -> listed(name, call, text, resultType));
  }

  private String resultType(String text, JsonNode call) {
    try {
      String columns =
          input.columns().stream()
              .map(c -> "CAST(NULL AS " + c.type() + ") AS " + Sql.name(c.name()))
              .collect(Collectors.joining(", "));
      return context
          .sql
          .describe("SELECT " + text + " AS r FROM (SELECT " + columns + ")")
          .columns()
          .get(0)
          .type();
    } catch (SqlMistake e) {
      throw context.error(ErrorCode.ILLEGAL_QUERY, call, e.getMessage());
    }
  }

  private Optional<AggregateState> exported(
      String name, JsonNode call, String text, String resultType) {
    List<String> types = new ArrayList<>();
    List<String> constants = new ArrayList<>();
    for (JsonNode argument : Tree.arguments(call)) {
      boolean column = Tree.isColumn(argument);
      constants.add(column ? "NULL" : context.sql.text(argument));
      types.add(column ? input.find(Tree.names(argument).get(0)).get().type() : typeOf(argument));
    }
    boolean fixed = constants.stream().anyMatch(c -> !c.equals("NULL"));
    String fixedList = fixed ? ", [" + String.join(", ", constants) + "]" : "";
    String function = Sql.text(Tree.function(call));
    String signature = signature(types);
    Optional<String> layout = layout(function, signature + fixedList);
    if (layout.isPresent() && layout.get().startsWith("[")) {
      signature = layout.get();
      layout = layout(function, signature + fixedList);
    }
    if (layout.isEmpty() || layout.get().startsWith("[") || layout.get().contains("UHUGEINT")) {
      return Optional.empty();
    }
    String own = layout.get();
    String storage = own.replace("HUGEINT", "DECIMAL(38,0)");
    String restored =
        "to_aggregate_state(CAST({} AS "
            + own
            + "), "
            + function
            + ", "
            + signature
            + fixedList
            + ")";
    ObjectNode exporting = call.deepCopy();
    exporting.put("export_state", true);
    AggregateState state =
        new AggregateState(
            name,
            text,
            storage,
            stored(context.sql.text(exporting), own, storage),
            stored("combine_aggr(" + restored + ")", own, storage),
            "finalize(" + restored + ")",
            resultType);
    return works(state) ? Optional.of(state) : Optional.empty();
  }

  private static String stored(String state, String own, String storage) {
    String plain = "CAST((" + state + ") AS " + own + ")";
    return own.equals(storage) ? plain : "CAST(" + plain + " AS " + storage + ")";
  }

  private String typeOf(JsonNode constant) {
    try {
      return context.sql.scalar("SELECT typeof(" + context.sql.text(constant) + ")");
    } catch (SqlMistake e) {
      throw context.error(ErrorCode.ILLEGAL_QUERY, constant, e.getMessage());
    }
  }

  private static String signature(List<String> types) {
    return types.stream().map(Sql::text).collect(Collectors.joining(", ", "[", "]"));
  }

  /** The layout of the state; or, in brackets, the signature to ask again with; or empty. */
  private Optional<String> layout(String function, String signatureAndConstants) {
    String restored =
        "to_aggregate_state('x'::BLOB, " + function + ", " + signatureAndConstants + ")";
    try {
      // Run it, since the cast that names the layout fails only then.
      context.sql.scalar("SELECT " + restored);
      String type = context.sql.scalar("SELECT typeof(finalize(" + restored + "))");
      return type.equals("VARCHAR") || type.equals("BLOB") ? Optional.of(type) : Optional.empty();
    } catch (SqlMistake e) {
      Matcher layout = LAYOUT.matcher(e.getMessage());
      if (layout.find()) {
        return Optional.of(layout.group(1));
      }
      Matcher bound = BOUND.matcher(e.getMessage());
      return bound.find() ? Optional.of(signature(split(bound.group(1)))) : Optional.empty();
    }
  }

  /** Splits a list of types at the commas outside parentheses. */
  private static List<String> split(String types) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int start = 0;
    for (int i = 0; i <= types.length(); i++) {
      if (i == types.length() || (types.charAt(i) == ',' && depth == 0)) {
        parts.add(types.substring(start, i).strip());
        start = i + 1;
      } else {
        depth += types.charAt(i) == '(' ? 1 : types.charAt(i) == ')' ? -1 : 0;
      }
    }
    return parts;
  }

  /** Whether the expressions run and give the promised types. */
  private boolean works(AggregateState state) {
    String columns =
        input.columns().stream()
            .map(c -> "CAST(NULL AS " + c.type() + ") AS " + Sql.name(c.name()))
            .collect(Collectors.joining(", "));
    String partial = "SELECT " + state.partial() + " AS s FROM (SELECT " + columns + ")";
    String merged = "SELECT " + state.merge().replace("{}", "s") + " AS s FROM (" + partial + ")";
    try {
      // Run it: DuckDB refuses some casts of a state only then.
      context.sql.scalar(merged);
      Schema stored = context.sql.describe(merged);
      Schema result =
          context.sql.describe(
              "SELECT " + state.result().replace("{}", "s") + " AS r FROM (" + merged + ")");
      return stored.columns().get(0).type().equals(state.storageType())
          && result.columns().get(0).type().equals(state.resultType());
    } catch (SqlMistake e) {
      return false;
    }
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
    String partial =
        "list(" + (distinct ? "DISTINCT " : "") + "struct_pack(" + fields + "))" + filter;
    String merge = "flatten(list({}))";
    ObjectNode plain = call.deepCopy();
    plain.putNull("filter");
    JsonNode overFields =
        Tree.replace(
            plain,
            n ->
                Tree.isColumn(n)
                    ? Optional.of(Tree.column("u", Tree.names(n).get(0)))
                    : Optional.empty());
    String result = "(SELECT " + context.sql.text(overFields) + " FROM (SELECT unnest({}) AS u))";
    String type =
        columns.isEmpty()
            ? "STRUCT(x BOOLEAN)[]"
            : columns.stream()
                .map(c -> Sql.name(c) + " " + input.find(c).get().type())
                .collect(Collectors.joining(", ", "STRUCT(", ")[]"));
    return new AggregateState(
        name,
        text,
        context.sql.canonicalType(type).orElse(type),
        partial,
        distinct ? "list_distinct(" + merge + ")" : merge,
        result,
        resultType);
  }
}
