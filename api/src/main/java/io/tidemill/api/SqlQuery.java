package io.tidemill.api;

import io.tidemill.protocol.schema.Sql;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A SELECT written by the program over views of the session.
 *
 * @param views what the text calls each input
 */
record SqlQuery(String text, List<String> views, List<Step> steps) implements Body {
  SqlQuery {
    views = List.copyOf(views);
    steps = List.copyOf(steps);
  }

  @Override
  public Set<Body.Use> uses(Set<String> wanted) {
    Set<Body.Use> uses = new TreeSet<>();
    for (int i = 0; i < steps.size(); i++) {
      int input = i;
      steps.get(i).visible().forEach(o -> uses.add(new Body.Use(input, o.sqlName())));
    }
    return uses;
  }

  @Override
  public String sql(Set<String> wanted, List<String> inputs) {
    List<String> tables = new ArrayList<>();
    for (int i = 0; i < views.size(); i++) {
      String columns =
          steps.get(i).visible().stream()
              .map(o -> Sql.name(o.sqlName()))
              .collect(Collectors.joining(", "));
      tables.add(
          Sql.name(views.get(i)) + " AS (SELECT " + columns + " FROM " + inputs.get(i) + ")");
    }
    String with = tables.isEmpty() ? "" : "WITH " + String.join(", ", tables) + " ";
    return with + "SELECT * FROM (" + text + "\n)";
  }
}
