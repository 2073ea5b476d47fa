package io.tidemill.api;

import io.tidemill.api.types.DataType;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Sql;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The columns that a SELECT can use, and what its FROM calls them. Remembers those that SQL written
 * over it uses.
 */
final class Scope {
  private final List<Entry> entries;
  private final SqlParsing parsing;
  private final Set<Body.Use> used = new TreeSet<>();

  private Scope(List<Entry> entries, SqlParsing parsing) {
    this.entries = entries;
    this.parsing = parsing;
  }

  /**
   * @param prefix alias of its table with a dot, or empty
   */
  private record Entry(Output output, int input, String prefix) {
    String sql() {
      return prefix + Sql.name(output.sqlName());
    }

    Body.Use use() {
      return new Body.Use(input, output.sqlName());
    }

    Item item() {
      return new Item(output.name(), sql(), Set.of(use()), Optional.of(output));
    }
  }

  private record Found(Entry entry, int parts) {}

  static Scope of(Step step, SqlParsing parsing) {
    return new Scope(entries(step, 0, ""), parsing);
  }

  /** The columns of both sides of a join, whose tables are called l and r. */
  static Scope ofJoin(Step left, Step right, SqlParsing parsing) {
    List<Entry> entries = new ArrayList<>(entries(left, 0, "l."));
    entries.addAll(entries(right, 1, "r."));
    return new Scope(entries, parsing);
  }

  private static List<Entry> entries(Step step, int input, String prefix) {
    return step.outputs().stream().map(o -> new Entry(o, input, prefix)).toList();
  }

  /** SQL of an expression with the columns it uses. */
  Written written(Expression expression) {
    Scope own = new Scope(entries, parsing);
    return new Written(expression.sql(own), own.used);
  }

  /** SQL of several expressions, with commas between them. */
  Written written(List<? extends Expression> expressions) {
    Scope own = new Scope(entries, parsing);
    return new Written(
        expressions.stream().map(e -> e.sql(own)).collect(Collectors.joining(", ")), own.used);
  }

  /** SQL for a column; it must be known and not ambiguous. */
  String sql(Named named) {
    Found found = find(named);
    used.add(found.entry().use());
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

  /** The column that a reference means. */
  Output output(Named named) {
    return find(named).entry().output();
  }

  /** The columns of one name; several after a join, or none. */
  List<Output> called(String name) {
    return entries.stream().map(Entry::output).filter(o -> o.isCalled(name)).toList();
  }

  private Found find(Named named) {
    List<String> parts = named.parts();
    if (named.step().isPresent()) {
      long step = named.step().get().number();
      List<Entry> handedDown =
          entries.stream().filter(e -> e.output().comesFrom(step, parts.get(0))).toList();
      if (handedDown.size() == 1) {
        return new Found(handedDown.get(0), 1);
      }
    }
    if (parts.size() > 1) {
      List<Entry> qualified =
          qualified(parts.get(0)).stream().filter(e -> e.output().isCalled(parts.get(1))).toList();
      if (!qualified.isEmpty()) {
        return new Found(single(qualified, named), 2);
      }
    }
    List<Entry> called = entries.stream().filter(e -> e.output().isCalled(parts.get(0))).toList();
    return new Found(single(called, named), 1);
  }

  private List<Entry> qualified(String alias) {
    return entries.stream()
        .filter(e -> e.output().qualifier().filter(alias::equalsIgnoreCase).isPresent())
        .toList();
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

  /** All columns that a star means. */
  List<Item> all() {
    return entries.stream().filter(e -> !e.output().isHidden()).map(Entry::item).toList();
  }

  /** The items of a SELECT list, stars written out. */
  List<Item> items(List<Column> columns) {
    List<Item> items = new ArrayList<>();
    columns.forEach(c -> items.addAll(items(c)));
    items.forEach(i -> used.addAll(i.uses()));
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
        Item item = found.entry().item();
        return List.of(column.alias().map(item::named).orElse(item));
      }
    }
    if (expression instanceof SqlText text) {
      SqlParsing.Parsed parsed = parsed(text.text());
      Optional<String> alias = column.alias().or(parsed::alias);
      if (parsed.column().isPresent()) {
        Column plain = new Column(parsed.column().get());
        return items(alias.map(plain::as).orElse(plain));
      }
      return List.of(item(alias.orElse(parsed.name()), expression));
    }
    return List.of(item(column.name(), expression));
  }

  private Item item(String name, Expression expression) {
    Written written = written(expression);
    return new Item(name, written.sql(), written.uses(), Optional.empty());
  }

  private List<Item> star(Named star) {
    if (star.parts().size() == 1) {
      return all();
    }
    Named owner = new Named(star.parts().subList(0, star.parts().size() - 1), star.step());
    List<Item> items =
        qualified(owner.name()).stream()
            .filter(e -> !e.output().isHidden())
            .map(Entry::item)
            .toList();
    return items.isEmpty() ? fields(owner) : items;
  }

  /** The fields of a struct as columns. */
  private List<Item> fields(Named owner) {
    Found found = find(owner);
    DataType type = DataType.parse(found.entry().output().type());
    if (!(type instanceof DataType.Struct struct) || found.parts() < owner.parts().size()) {
      throw new TidemillException(
              ErrorCode.UNKNOWN_NAME,
              "All columns can be taken of a struct, or of a dataset with an alias.")
          .with("name", String.join(".", owner.parts()));
    }
    return struct.fields().stream()
        .map(f -> item(f.name(), new Named(with(owner.parts(), f.name()), owner.step())))
        .toList();
  }

  private static List<String> with(List<String> parts, String more) {
    List<String> all = new ArrayList<>(parts);
    all.add(more);
    return all;
  }
}
