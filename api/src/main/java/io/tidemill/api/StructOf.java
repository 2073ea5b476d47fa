package io.tidemill.api;

import io.tidemill.protocol.schema.Sql;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A struct made of columns, each a field under its own name; a star adds all columns. */
record StructOf(List<Column> fields) implements Expression {
  StructOf {
    fields = List.copyOf(fields);
  }

  @Override
  public String sql(Scope scope) {
    List<String> items = new ArrayList<>();
    for (Item item : scope.items(fields)) {
      items.add(Sql.name(item.name()) + " := " + item.sql());
    }
    return "struct_pack(" + String.join(", ", items) + ")";
  }

  @Override
  public String name() {
    return fields.stream().map(Column::name).collect(Collectors.joining(", ", "struct(", ")"));
  }
}
