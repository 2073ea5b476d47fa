package io.tidemill.api;

import io.tidemill.protocol.schema.Sql;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * SELECT items FROM ….
 *
 * @param select the word SELECT, perhaps with DISTINCT ON
 * @param columns the items under names that are unique here
 * @param rest everything from FROM on, for the names of the inputs
 * @param used columns that the rest uses
 */
record Projection(
    String select, List<Column> columns, Function<List<String>, String> rest, Set<Body.Use> used)
    implements Body {

  /** An item under the name that it has in SQL. */
  record Column(Item item, String sqlName) {
    String sql() {
      String name = Sql.name(sqlName);
      return item.sql().equals(name) ? name : item.sql() + " AS " + name;
    }

    Output output() {
      return item.source()
          .filter(s -> s.isCalled(item.name()))
          .map(s -> s.sqlNamed(sqlName))
          .orElse(Output.of(item.name(), sqlName, ""));
    }
  }

  static Projection of(List<Item> items, Function<List<String>, String> rest, Set<Body.Use> used) {
    return new Projection("SELECT ", unique(items), rest, used);
  }

  /** Columns may share a name, e.g. behind a join; in SQL they must not. */
  static List<Column> unique(List<Item> items) {
    Set<String> taken = new TreeSet<>();
    List<Column> columns = new ArrayList<>();
    for (Item item : items) {
      String name = item.name();
      for (int n = 2; !taken.add(name.toLowerCase(Locale.ROOT)); n++) {
        name = item.name() + "_" + n;
      }
      columns.add(new Column(item, name));
    }
    return columns;
  }

  List<Output> outputs() {
    return columns.stream().map(Column::output).toList();
  }

  private List<Column> wanted(Set<String> wanted) {
    List<Column> found = columns.stream().filter(c -> wanted.contains(c.sqlName())).toList();
    return found.isEmpty() ? columns.subList(0, 1) : found;
  }

  @Override
  public Set<Body.Use> uses(Set<String> wanted) {
    Set<Body.Use> uses = new TreeSet<>(used);
    wanted(wanted).forEach(c -> uses.addAll(c.item().uses()));
    return uses;
  }

  @Override
  public String sql(Set<String> wanted, List<String> inputs) {
    return select
        + wanted(wanted).stream().map(Column::sql).collect(Collectors.joining(", "))
        + rest.apply(inputs);
  }
}
