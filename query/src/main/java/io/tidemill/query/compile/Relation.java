package io.tidemill.query.compile;

import io.tidemill.protocol.schema.Schema;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A streaming relation under construction: the union of its branches.
 *
 * @param columns columns of every branch, hidden ones included
 * @param times event-time columns by lower-case name, with an expression template whose value is
 *     compared with the watermark; {@code {}} stands for the column
 * @param hidden lower-case names of columns that {@code *} leaves out
 */
record Relation(
    List<Origin.Branch> branches, Schema columns, Map<String, String> times, Set<String> hidden) {
  Relation {
    branches = List.copyOf(branches);
    times = Map.copyOf(times);
    hidden = Set.copyOf(hidden);
  }

  Optional<String> time(String column) {
    return Optional.ofNullable(times.get(column.toLowerCase(Locale.ROOT)));
  }

  /** The first event-time column in column order, as a test expression over its quoted name. */
  Optional<String> timeExpression() {
    return columns.columns().stream()
        .filter(c -> time(c.name()).isPresent())
        .findFirst()
        .map(c -> fill(time(c.name()).get(), io.tidemill.protocol.schema.Sql.name(c.name())));
  }

  static String fill(String template, String column) {
    return template.replace("{}", column);
  }

  /** Times with their names changed; names not in the map are lost. */
  static Map<String, String> renamed(Map<String, String> times, Map<String, String> newNames) {
    Map<String, String> renamed = new TreeMap<>();
    newNames.forEach(
        (to, from) -> {
          String template = times.get(from.toLowerCase(Locale.ROOT));
          if (template != null) {
            renamed.put(to.toLowerCase(Locale.ROOT), template);
          }
        });
    return renamed;
  }
}
