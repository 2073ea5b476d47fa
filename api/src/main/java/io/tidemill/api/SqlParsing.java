package io.tidemill.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.query.job.QueryText;
import io.tidemill.query.sql.DuckSql;
import io.tidemill.query.sql.DuckSql.SqlMistake;
import io.tidemill.query.sql.Select;
import io.tidemill.query.sql.TableRef;
import io.tidemill.query.sql.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads the SQL texts that a program gives to {@code expr} and its like. Thread-safe. */
final class SqlParsing implements AutoCloseable {
  private final DuckSql sql = new DuckSql();

  /**
   * An expression over the columns of some dataset.
   *
   * @param name what a result column of it is called without an alias
   * @param column the column or star it is, if it is nothing else
   */
  record Parsed(String sql, String name, Optional<String> alias, Optional<Named> column) {}

  /** One expression, perhaps with AS and an alias behind it. */
  synchronized Parsed expression(String text, Scope scope) {
    JsonNode written = parse(text);
    Optional<String> alias = Optional.of(Tree.alias(written)).filter(a -> !a.isEmpty());
    if (Tree.isStar(written) && Tree.starChanges(written).isEmpty()) {
      String table = Tree.starTable(written);
      Named star = Named.of(table.isEmpty() ? "*" : "`" + table + "`.*", Optional.empty());
      return new Parsed("*", "*", alias, Optional.of(star));
    }
    Optional<Named> column =
        Tree.isColumn(written)
            ? Optional.of(new Named(Tree.names(written), Optional.empty()))
            : Optional.empty();
    JsonNode resolved = Tree.replace(written, n -> resolved(n, scope));
    return new Parsed(sql.text(resolved), name(written), alias, column);
  }

  private JsonNode parse(String text) {
    try {
      List<JsonNode> items =
          sql.parse("SELECT " + QueryText.of("expr", text).sql() + "\n").selectList();
      if (items.size() == 1) {
        return items.get(0);
      }
    } catch (SqlMistake e) {
      throw new TidemillException(
              ErrorCode.JOB_SYNTAX, "The text is no SQL expression: " + e.getMessage(), e)
          .with("text", text);
    }
    throw new TidemillException(
            ErrorCode.JOB_SYNTAX,
            "The text is several expressions; give each as a text of its own.")
        .with("text", text);
  }

  /** Columns under the names of the FROM; a cast of bytes to text reads them as UTF-8. */
  private Optional<JsonNode> resolved(JsonNode node, Scope scope) {
    Optional<JsonNode> cast = Tree.castToText(node);
    if (cast.isPresent() && Tree.isColumn(cast.get())) {
      Named named = new Named(Tree.names(cast.get()), Optional.empty());
      if (!scope.called(named.parts().get(0)).isEmpty() && scope.isBinary(named)) {
        return Optional.of(parse(Scope.decoded(scope.sql(named))));
      }
    }
    if (Tree.isColumn(node)) {
      Named named = new Named(Tree.names(node), Optional.empty());
      return isKnown(named, scope) ? Optional.of(parse(scope.sql(named))) : Optional.empty();
    }
    return Optional.empty();
  }

  /** Names that are no columns may be parameters of lambdas; DuckDB judges them. */
  private static boolean isKnown(Named named, Scope scope) {
    return named.parts().stream().limit(2).anyMatch(p -> !scope.called(p).isEmpty());
  }

  /** Spark's name of a cast column is the column's. */
  private String name(JsonNode written) {
    JsonNode named = Tree.castToText(written).orElse(written);
    if (Tree.isColumn(named)) {
      List<String> names = Tree.names(named);
      return names.get(names.size() - 1);
    }
    return sql.text(written);
  }

  /** The names of columns and tables that a whole SELECT mentions, compared without case. */
  synchronized Set<String> names(String query) {
    try {
      Select select = sql.parse(QueryText.of("sql", query).sql());
      Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
      Tree.walk(
          select.node(),
          n -> {
            if (Tree.isColumn(n)) {
              names.add(Tree.names(n).get(0));
            }
            if (new TableRef(n).isTable()) {
              names.add(new TableRef(n).table());
            }
          });
      return names;
    } catch (SqlMistake e) {
      throw new TidemillException(
              ErrorCode.JOB_SYNTAX, "The text is no SELECT: " + e.getMessage(), e)
          .with("text", query);
    }
  }

  /** Columns with DuckDB's spelling of their types. */
  synchronized Schema canonical(Schema columns) {
    List<Column> canonical = new ArrayList<>();
    for (Column column : columns.columns()) {
      String type =
          sql.canonicalType(column.type())
              .orElseThrow(
                  () ->
                      new TidemillException(
                              ErrorCode.UNKNOWN_NAME, "There is no such type of columns.")
                          .with("column", column.name())
                          .with("type", column.type()));
      canonical.add(new Column(column.name(), type, column.required()));
    }
    return new Schema(canonical);
  }

  @Override
  public synchronized void close() {
    sql.close();
  }
}
