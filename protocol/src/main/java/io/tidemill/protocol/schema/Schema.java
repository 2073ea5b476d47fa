package io.tidemill.protocol.schema;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The ordered columns of a table. */
public record Schema(@JsonValue List<Column> columns) {
  public static final Schema EMPTY = new Schema(List.of());

  @JsonCreator
  public Schema {
    columns = List.copyOf(columns);
  }

  /** Columns given as name, type, name, type. */
  public static Schema of(String... namesAndTypes) {
    java.util.ArrayList<Column> columns = new java.util.ArrayList<>();
    for (int i = 0; i < namesAndTypes.length; i += 2) {
      columns.add(Column.of(namesAndTypes[i], namesAndTypes[i + 1]));
    }
    return new Schema(columns);
  }

  public boolean isEmpty() {
    return columns.isEmpty();
  }

  public List<String> names() {
    return columns.stream().map(Column::name).toList();
  }

  /** The column of that name, compared without case. */
  public Optional<Column> find(String name) {
    return columns.stream().filter(c -> c.name().equalsIgnoreCase(name)).findFirst();
  }

  /** The columns as in CREATE TABLE, names quoted, without NOT NULL. */
  public String ddl() {
    return columns.stream()
        .map(c -> Sql.name(c.name()) + " " + c.type())
        .collect(Collectors.joining(", ", "(", ")"));
  }
}
