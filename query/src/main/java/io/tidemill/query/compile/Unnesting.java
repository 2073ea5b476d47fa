package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.query.sql.Conditions;
import io.tidemill.query.sql.Select;
import io.tidemill.query.sql.Tree;
import java.util.List;
import java.util.Optional;

/**
 * What unnesting a list says about the row: without elements it gives nothing. Spark 4.2 infers
 * this for a column, and for a field of a column that is not used as a whole.
 */
record Unnesting(Context context, Members members, Scope scope, Select query) {
  static Unnesting of(Context context, Members members, Scope scope, Select query) {
    return new Unnesting(context, members, scope, query);
  }

  /** The condition that an unnested column has elements, if the call unnests a list column. */
  Optional<JsonNode> hasElements(JsonNode call) {
    List<JsonNode> arguments = Tree.arguments(call);
    if (arguments.size() != 1 || !Tree.isColumn(arguments.get(0))) {
      return Optional.empty();
    }
    return members
        .find(Tree.names(arguments.get(0)))
        .filter(c -> isList(arguments.get(0), c) && (isWhole(c) || !isUsedWhole(c)))
        .map(Conditions::hasElements);
  }

  private static boolean isWhole(JsonNode column) {
    return Tree.names(column).size() == 2;
  }

  private boolean isList(JsonNode written, JsonNode column) {
    String type =
        isWhole(column)
            ? members.type(column)
            : new Shapes(context)
                .find(written, query.from(), scope)
                .map(Schema::columns)
                .map(c -> c.get(0).type())
                .orElse("");
    return type.endsWith("]");
  }

  private boolean isUsedWhole(JsonNode column) {
    List<String> whole = Tree.names(column).subList(0, 2);
    return Conditions.holds(
        query.node(),
        n ->
            Tree.isColumn(n)
                && members.find(Tree.names(n)).map(Tree::names).filter(whole::equals).isPresent());
  }
}
