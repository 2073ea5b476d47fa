package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.query.plan.AggregateState;
import io.tidemill.query.sql.DuckSql;
import io.tidemill.query.sql.DuckSql.SqlMistake;
import io.tidemill.query.sql.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * States that DuckDB exports. How they are laid out is not documented, so it is found out by asking
 * and then tried on sample rows; what does not work is not used.
 */
final class ExportedStates {
  /** DuckDB names the state's layout when asked to read one from a value of another type. */
  private static final Pattern LAYOUT =
      Pattern.compile("Unimplemented type for cast \\(BLOB -> (.*)\\)", Pattern.DOTALL);

  private static final Pattern BOUND = Pattern.compile("bound=\\[(.*?)] requested=");

  /** Texts of which some can be cast to any usual type. */
  private static final List<String> SAMPLES =
      List.of("1", "2024-01-01", "00:00:01", "1 day", "[1]", "[]", "{\"x\": 1}", "{}", "a", "01");

  private final DuckSql sql;
  private final Schema input;

  ExportedStates(DuckSql sql, Schema input) {
    this.sql = sql;
    this.input = input;
  }

  /** The state of a call without DISTINCT and ORDER BY, if DuckDB exports one that can be kept. */
  Optional<AggregateState> of(String name, JsonNode call, String text, String resultType) {
    List<String> types = new ArrayList<>();
    List<String> constants = new ArrayList<>();
    for (JsonNode argument : Tree.arguments(call)) {
      boolean column = Tree.isColumn(argument);
      constants.add(column ? "NULL" : sql.text(argument));
      Optional<String> type =
          column
              ? input.find(Tree.names(argument).get(0)).map(Column::type)
              : typeOf(constants.get(constants.size() - 1));
      if (type.isEmpty()) {
        return Optional.empty();
      }
      types.add(type.get());
    }
    boolean fixed = constants.stream().anyMatch(c -> !c.equals("NULL"));
    String fixedList = fixed ? ", [" + String.join(", ", constants) + "]" : "";
    String function = Sql.text(Tree.function(call));
    String signature = signature(types);
    Layout layout = layout(function, signature + fixedList);
    if (layout.signature().isPresent()) {
      signature = layout.signature().get();
      layout = layout(function, signature + fixedList);
    }
    if (layout.type().isEmpty() || layout.type().get().contains("UHUGEINT")) {
      return Optional.empty();
    }
    String own = layout.type().get();
    String storage = Context.storableType(own);
    String restored =
        "to_aggregate_state(CAST("
            + AggregateState.COLUMN
            + " AS "
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
            stored(sql.text(exporting), own, storage),
            stored("combine_aggr(" + restored + ")", own, storage),
            sum(Tree.function(call), storage),
            "finalize(" + restored + ")",
            resultType);
    return works(state) ? Optional.of(state) : Optional.empty();
  }

  /** What is kept of a count, and of a sum of whole numbers or decimals, is the number itself. */
  private static Optional<String> sum(String function, String storage) {
    boolean count = function.equals("count") || function.equals("count_star");
    boolean number = storage.equals("BIGINT") || storage.equals("DECIMAL(38,0)");
    return number && (count || function.equals("sum"))
        ? Optional.of(
            "coalesce(%1$s + %2$s, %1$s, %2$s)"
                .formatted(AggregateState.COLUMN, AggregateState.OTHER))
        : Optional.empty();
  }

  private static String stored(String state, String own, String storage) {
    // A list keeps the type of a state through a plain cast; as a field it loses it.
    String plain =
        own.endsWith("]")
            ? "CAST(struct_pack(v := (" + state + ")) AS STRUCT(v " + own + ")).v"
            : "CAST((" + state + ") AS " + own + ")";
    return own.equals(storage) ? plain : "CAST(" + plain + " AS " + storage + ")";
  }

  private Optional<String> typeOf(String constant) {
    try {
      return Optional.of(sql.scalar("SELECT typeof(" + constant + ")"));
    } catch (SqlMistake e) {
      return Optional.empty();
    }
  }

  private static String signature(List<String> types) {
    return types.stream().map(Sql::text).collect(Collectors.joining(", ", "[", "]"));
  }

  /** The layout of a state, or the signature to ask again with, or neither. */
  private record Layout(Optional<String> type, Optional<String> signature) {}

  private Layout layout(String function, String signatureAndConstants) {
    String restored =
        "to_aggregate_state('x'::BLOB, " + function + ", " + signatureAndConstants + ")";
    try {
      // Run it, since the cast that names the layout fails only then.
      sql.scalar("SELECT " + restored);
      String type = sql.scalar("SELECT typeof(finalize(" + restored + "))");
      boolean text = type.equals("VARCHAR") || type.equals("BLOB");
      return new Layout(text ? Optional.of(type) : Optional.empty(), Optional.empty());
    } catch (SqlMistake e) {
      Matcher layout = LAYOUT.matcher(e.getMessage());
      if (layout.find()) {
        return new Layout(Optional.of(layout.group(1)), Optional.empty());
      }
      Matcher bound = BOUND.matcher(e.getMessage());
      return new Layout(
          Optional.empty(),
          bound.find() ? Optional.of(signature(split(bound.group(1)))) : Optional.empty());
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

  /**
   * Whether the expressions give the promised types and run: some casts fail only on a value. The
   * samples are run for themselves, since an operator may see any mixture of them.
   */
  private boolean works(AggregateState state) {
    String rows = "(" + AggregateStates.nulls(input) + " UNION ALL " + samples() + ")";
    String partial = "SELECT " + state.partial() + " AS s FROM " + rows;
    String merged = "SELECT " + state.merged("s") + " AS s FROM (" + partial + ")";
    String result = "SELECT " + state.value("s") + " AS r FROM (" + merged + ")";
    try {
      sql.scalar(result);
      return sql.describe(partial).columns().get(0).type().equals(state.storageType())
          && sql.describe(merged).columns().get(0).type().equals(state.storageType())
          && sql.describe(result).columns().get(0).type().equals(state.resultType());
    } catch (SqlMistake e) {
      return false;
    }
  }

  private String samples() {
    return input.columns().stream()
        .map(
            c ->
                SAMPLES.stream()
                    .map(s -> "TRY_CAST(" + Sql.text(s) + " AS " + c.type() + ")")
                    .collect(Collectors.joining(", ", "coalesce(", ") AS " + Sql.name(c.name()))))
        .collect(Collectors.joining(", ", "SELECT ", ""));
  }
}
