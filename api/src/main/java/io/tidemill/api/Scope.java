package io.tidemill.api;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Sql;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The columns that a SELECT can use, and what its FROM calls them. */
final class Scope {
  private final List<Entry> entries;
  private final SqlParsing parsing;

  private Scope(List<Entry> entries, SqlParsing parsing) {
    this.entries = entries;
    this.parsing = parsing;
  }

  /**
   * @param prefix alias of its table with a dot, or empty
   */
  private record Entry(Output output, String prefix) {
    String sql() {
      return prefix + Sql.name(output.sqlName());
    }
  }

  /**
   * An item of a SELECT list.
   *
   * @param source the column it is, if it is nothing but a column
   */
  record Item(String name, String sql, Optional<Output> source) {}

  static Scope of(Step step, SqlParsing parsing) {
    return new Scope(entries(step, ""), parsing);
  }

  /** The columns of both sides of a join, whose tables are called l and r. */
  static Scope ofJoin(Step left, Step right, SqlParsing parsing) {
    List<Entry> entries = new ArrayList<>(entries(left, "l."));
    entries.addAll(entries(right, "r."));
    return new Scope(entries, parsing);
  }

  private static List<Entry> entries(Step step, String prefix) {
    return step.outputs().stream().map(o -> new Entry(o, prefix)).toList();
  }

  /** SQL for a column; it must be known and not ambiguous. */
  String sql(Named named) {
    Found found = find(named);
    StringBuilder sql = new StringBuilder(found.entry().sql());
    named.parts().stream().skip(found.parts()).forEach(p -> sql.append('.').append(Sql.name(p)));
    return sql.toString();
  }

  /** Whether the name means a BLOB column. */
  boolean isBinary(Named named) {
    Found found = find(named);
    return found.parts() == named.parts().size() && found.entry().output().type().equals("BLOB");
  }

  /** Bytes as text, as a cast to string reads them in Spark; null if they are not UTF-8. */
  static String decoded(String sql) {
    return "TRY(decode(" + sql + "))";
  }

  /** A text of the program, as SQL over these columns. */
  SqlParsing.Parsed parsed(String text) {
    return parsing.expression(text, this);
  }

  private record Found(Entry entry, int parts) {}

  private Found find(Named named) {
    List<String> parts = named.parts();
    if (named.step().isPresent()) {
      List<Entry> handedDown =
          entries.stream()
              .filter(e -> e.output().camesFrom(named.step().get().number(), parts.get(0)))
              .toList();
      if (handedDown.size() == 1) {
        return new Found(handedDown.get(0), 1);
      }
    }
    if (parts.size() > 1) {
      List<Entry> qualified =
          entries.stream()
              .filter(e -> e.output().isCalled(parts.get(1)))
              .filter(
                  e -> e.output().qualifier().filter(parts.get(0)::equalsIgnoreCase).isPresent())
              .toList();
      if (!qualified.isEmpty()) {
        return new Found(single(qualified, named), 2);
      }
    }
    List<Entry> called =
        entries.stream().filter(e -> e.output().isCalled(parts.get(0))).toList();
    return new Found(single(called, named), 1);
  }

  private Entry single(List<Entry> found, Named named) {
    if (found.size() == 1) {
      return found.get(0);
    }
    String name = String.join(".", named.parts());
    List<String> known = entries.stream().map(e -> e.output().name()).distinct().toList();
    throw found.isEmpty()
        ? new TidemillException(
                ErrorCode.UNKNOWN_NAME, "There is no such column." + Nearest.hint(name, known))
            .with("column", name)
            .with("known", String.join(", ", known))
        : new TidemillException(
                ErrorCode.UNKNOWN_NAME,
                "The name of a column is ambiguous. Take the column from its dataset, as in"
                    + " orders.col(\"id\"), or give the datasets aliases.")
            .with("column", name);
  }

  /** The items of a SELECT list, stars written out. */
  List<Item> items(List<Column> columns) {
    List<Item> items = new ArrayList<>();
    columns.forEach(c -> items.addAll(items(c)));
    return items;
  }

  private List<Item> items(Column column) {
    Expression expression = column.expression();
    if (expression instanceof Named named) {
      if (named.isStar()) {
        return star(named);
      }
      Found found = find(named);
      if (found.parts() == named.parts().size()) {
        String name = column.alias().orElse(found.entry().output().name());
        return List.of(
            new Item(name, found.entry().sql(), Optional.of(found.entry().output())));
      }
    }
    if (expression instanceof SqlText text) {
      SqlParsing.Parsed parsed = parsed(text.text());
      Optional<Named> plain = parsed.column();
      if (plain.isPresent()) {
        Column named = new Column(plain.get());
        return items(column.alias().or(parsed::alias).map(named::as).orElse(named));
      }
      return List.of(
          new Item(
              column.alias().or(parsed::alias).orElse(parsed.name()),
              parsed.sql(),
              Optional.empty()));
    }
    return List.of(new Item(column.name(), expression.sql(this), Optional.empty()));
  }

  private List<Item> star(Named star) {
    Optional<String> of =
        star.parts().size() > 1 ? Optional.of(star.parts().get(0)) : Optional.empty();
    List<Item> items =
        entries.stream()
            .filter(e -> !e.output().isHidden())
            .filter(
                e ->
                    of.isEmpty()
                        || e.output().qualifier().filter(of.get()::equalsIgnoreCase).isPresent())
            .map(e -> new Item(e.output().name(), e.sql(), Optional.of(e.output())))
            .toList();
    if (items.isEmpty()) {
      throw new TidemillException(
              ErrorCode.UNKNOWN_NAME, "There is no dataset of that alias to take all columns of.")
          .with("alias", of.orElse("*"))
          .with(
              "known",
              entries.stream()
                  .flatMap(e -> e.output().qualifier().stream())
                  .distinct()
                  .collect(Collectors.joining(", ")));
    }
    return items;
  }

  /** The columns of one name; several after a join, or none. */
  List<Output> called(String name) {
    return entries.stream().map(Entry::output).filter(o -> o.isCalled(name)).toList();
  }

  /** The column that a reference means. */
  Output output(Named named) {
    return find(named).entry().output();
  }
}
