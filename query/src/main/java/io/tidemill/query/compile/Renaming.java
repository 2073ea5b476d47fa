package io.tidemill.query.compile;

import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.query.plan.OwnNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/** Gives the columns of a relation other names. */
final class Renaming {
  /**
   * What a job's column with the name of the bucket is called while the bucket stands beside it.
   */
  private static final String BESIDE_BUCKET = OwnNames.PREFIX + "bucket";

  private Renaming() {}

  /** The relation with its columns renamed in order; columns without a new name keep theirs. */
  static Relation of(Context context, Relation relation, List<String> names) {
    List<String> items = new ArrayList<>();
    List<Column> columns = new ArrayList<>();
    Map<String, String> newNames = new LinkedHashMap<>();
    Set<String> hidden = new TreeSet<>();
    for (int i = 0; i < relation.columns().columns().size(); i++) {
      Column column = relation.columns().columns().get(i);
      String name = i < names.size() ? names.get(i) : column.name();
      items.add(Sql.name(column.name()) + " AS " + Sql.name(name));
      columns.add(Column.of(name, column.type()));
      newNames.put(name, column.name());
      if (relation.hidden().contains(Context.lower(column.name()))) {
        hidden.add(Context.lower(name));
      }
    }
    return new Relation(
        context.wrap(
            relation.branches(),
            "SELECT " + String.join(", ", items) + " FROM " + Froms.MARKER + " AS r"),
        new Schema(columns),
        Relation.renamed(relation.times(), newNames),
        hidden);
  }

  /**
   * An operator over a relation whose rows pass with all their columns: one with the name of the
   * bucket has another one meanwhile.
   */
  static Relation aroundOperator(
      Context context, Relation relation, UnaryOperator<Relation> operator) {
    List<String> names = relation.columns().names();
    List<String> free =
        names.stream().map(n -> n.equalsIgnoreCase(OwnNames.BUCKET) ? BESIDE_BUCKET : n).toList();
    return free.equals(names)
        ? operator.apply(relation)
        : of(context, operator.apply(of(context, relation, free)), names);
  }
}
