package io.tidemill.api;

import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.query.compile.ConnectorSchemas;
import io.tidemill.query.job.JobFile;
import io.tidemill.query.job.JobText;
import io.tidemill.query.job.QueryText;
import io.tidemill.query.job.Statement;
import io.tidemill.query.plan.ConnectorSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A step with all below it as one SELECT over named streams and tables. Names depend on the query
 * alone, so the same program gives the same text each time.
 */
final class Rendering {
  private final String title;
  private final Map<Step, String> names = new IdentityHashMap<>();
  private final Map<String, Relation> relations = new HashMap<>();
  private final List<Statement> statements = new ArrayList<>();
  private final StringBuilder definitions = new StringBuilder();
  private final List<String> commonTables = new ArrayList<>();
  private final String sql;

  /**
   * @param title what messages call the query
   */
  Rendering(String title, Step step) {
    this.title = title;
    String items =
        step.outputs().stream()
            .filter(o -> !o.isHidden())
            .map(o -> Sql.name(o.sqlName()))
            .collect(Collectors.joining(", "));
    String name = nameOf(step);
    String with =
        commonTables.isEmpty() ? "" : "WITH " + String.join(",\n", commonTables) + "\n";
    this.sql = with + "SELECT " + items + " FROM " + name;
  }

  /** The quoted name of a step, which is then among the definitions or common tables. */
  private String nameOf(Step step) {
    String known = names.get(step);
    if (known != null) {
      return known;
    }
    String name = step.relation().isPresent() ? define(step.relation().get()) : compute(step);
    names.put(step, Sql.name(name));
    return Sql.name(name);
  }

  private String define(Relation relation) {
    String kind = relation.isStream() ? "stream" : "table";
    String name = relation.name().orElse(kind + "_" + (statements.size() + 1));
    int offset = definitions.length();
    definitions.append(name).append(", a ").append(relation.connector()).append(' ').append(kind);
    definitions.append('\n');
    statements.add(relation.statement(name, offset));
    relations.put((kind + " " + name).toLowerCase(Locale.ROOT), relation);
    return name;
  }

  private String compute(Step step) {
    String select = step.select(step.inputs().stream().map(this::nameOf).toList());
    String name = "step_" + (commonTables.size() + 1);
    commonTables.add(Sql.name(name) + " AS (" + select + ")");
    return name;
  }

  /** The SELECT. */
  String sql() {
    return sql;
  }

  QueryText query() {
    return QueryText.of(title, sql);
  }

  /** A job with the streams and tables, and further statements. */
  JobFile job(List<Statement> more) {
    List<Statement> all = new ArrayList<>(statements);
    all.addAll(more);
    return new JobFile(new JobText(title, definitions.toString()), all);
  }

  /** The columns as they were when the streams and tables were loaded. */
  ConnectorSchemas schemas() {
    return new ConnectorSchemas() {
      @Override
      public StreamColumns stream(ConnectorSpec connector, Schema declared) {
        return relations.get(connector.owner().toLowerCase(Locale.ROOT)).columns();
      }

      @Override
      public Schema table(ConnectorSpec connector, Schema declared) {
        return relations.get(connector.owner().toLowerCase(Locale.ROOT)).columns().visible();
      }
    };
  }
}
