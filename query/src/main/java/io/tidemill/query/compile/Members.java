package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.query.sql.TableRef;
import io.tidemill.query.sql.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The tables of a FROM clause with their columns, to tell whose column a name is. In a qualified
 * expression each column stands as {@code member.column}, with a member name that no query uses.
 */
final class Members {
  private static final String PREFIX = "tidemill_row_";

  private final List<Member> members;

  /**
   * @param ref its node in the FROM clause
   * @param alias what the query calls it
   */
  record Member(TableRef ref, String alias, Schema columns) {}

  private Members(List<Member> members) {
    this.members = List.copyOf(members);
  }

  /** The members of a FROM clause; empty if the columns of one cannot be told. */
  static Optional<Members> of(Context context, TableRef from, Scope scope) {
    List<TableRef> refs = new ArrayList<>();
    collect(from, refs);
    List<Member> members = new ArrayList<>();
    for (TableRef ref : refs) {
      String alias = alias(ref);
      boolean taken = members.stream().anyMatch(m -> m.alias().equalsIgnoreCase(alias));
      Optional<Schema> columns =
          taken || alias.isEmpty() ? Optional.empty() : columns(context, ref, from, scope);
      if (columns.isEmpty()) {
        return Optional.empty();
      }
      members.add(new Member(ref, alias, columns.get()));
    }
    return Optional.of(new Members(members));
  }

  private static void collect(TableRef ref, List<TableRef> refs) {
    if (ref.isJoin()) {
      collect(ref.left(), refs);
      collect(ref.right(), refs);
    } else if (!ref.isEmpty()) {
      refs.add(ref);
    }
  }

  private static String alias(TableRef ref) {
    if (!ref.alias().isEmpty()) {
      return ref.alias();
    }
    if (ref.isTable()) {
      return ref.table();
    }
    if (ref.isFunction()) {
      String name = Tree.function(ref.function());
      return Froms.isStreamFunction(name) ? Shapes.innermost(ref.function()) : name;
    }
    return ref.isSubquery() ? Froms.SUBQUERY : "";
  }

  private static Optional<Schema> columns(
      Context context, TableRef ref, TableRef from, Scope scope) {
    boolean plain =
        ref.isTable() && ref.columnAliases().isEmpty() && scope.find(ref.table()).isEmpty();
    if (plain && context.catalog.streams.containsKey(ref.table())) {
      return Optional.of(Shapes.columns(context.catalog.streams.get(ref.table())));
    }
    if (plain && context.catalog.tables.containsKey(ref.table())) {
      return Optional.of(context.catalog.tables.get(ref.table()).columns());
    }
    Shapes shapes = new Shapes(context);
    return shapes
        .find(Tree.star(""), ref.node(), scope)
        .or(() -> shapes.find(Tree.star(ref.boundName()), from.node(), scope));
  }

  List<Member> list() {
    return members;
  }

  /** Numbers of the members within a part of the FROM clause. */
  Set<Integer> within(TableRef part) {
    List<TableRef> refs = new ArrayList<>();
    collect(part, refs);
    Set<Integer> numbers = new TreeSet<>();
    for (int i = 0; i < members.size(); i++) {
      JsonNode node = members.get(i).ref().node();
      if (refs.stream().anyMatch(r -> Froms.isSame(r.node(), node))) {
        numbers.add(i);
      }
    }
    return numbers;
  }

  /** The column that a name, with or without a qualifier, means here. */
  Optional<JsonNode> find(List<String> names) {
    if (names.size() > 1) {
      for (int i = 0; i < members.size(); i++) {
        Optional<Column> column =
            members.get(i).alias().equalsIgnoreCase(names.get(0))
                ? members.get(i).columns().find(names.get(1))
                : Optional.empty();
        if (column.isPresent()) {
          return Optional.of(column(i, column.get(), names.subList(2, names.size())));
        }
      }
    }
    for (int i = 0; i < members.size(); i++) {
      Optional<Column> column = members.get(i).columns().find(names.get(0));
      if (column.isPresent()) {
        return Optional.of(column(i, column.get(), names.subList(1, names.size())));
      }
    }
    return Optional.empty();
  }

  private static JsonNode column(int member, Column column, List<String> fields) {
    List<String> names = new ArrayList<>(List.of(PREFIX + member, column.name()));
    names.addAll(fields);
    return Tree.column(names.toArray(String[]::new));
  }

  /** A column of a member by its number. */
  static JsonNode column(int member, String name) {
    return Tree.column(PREFIX + member, name);
  }

  /** The member that a column of a qualified expression belongs to, or -1. */
  static int memberOf(JsonNode column) {
    String first = Tree.isColumn(column) ? Tree.names(column).get(0) : "";
    return first.startsWith(PREFIX) ? Integer.parseInt(first.substring(PREFIX.length())) : -1;
  }

  /** Numbers of the members that a qualified expression uses. */
  static Set<Integer> used(JsonNode expression) {
    Set<Integer> numbers = new TreeSet<>();
    Tree.walk(
        expression,
        n -> {
          if (memberOf(n) >= 0) {
            numbers.add(memberOf(n));
          }
        });
    return numbers;
  }

  /** A qualified expression with another name for each of its members. */
  static JsonNode renamed(JsonNode expression, java.util.function.IntFunction<String> names) {
    return Tree.replace(
        expression,
        n -> {
          int member = memberOf(n);
          if (member < 0) {
            return Optional.empty();
          }
          List<String> parts = new ArrayList<>(Tree.names(n));
          parts.set(0, names.apply(member));
          return Optional.of(Tree.column(parts.toArray(String[]::new)));
        });
  }

  /** The type of a column of a qualified expression, fields left out. */
  String type(JsonNode column) {
    return members
        .get(memberOf(column))
        .columns()
        .find(Tree.names(column).get(1))
        .orElseThrow()
        .type();
  }
}
