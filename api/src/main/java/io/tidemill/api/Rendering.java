package io.tidemill.api;

import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.query.compile.ConnectorSchemas;
import io.tidemill.query.job.JobFile;
import io.tidemill.query.job.JobText;
import io.tidemill.query.job.QueryText;
import io.tidemill.query.job.Statement;
import io.tidemill.query.plan.ConnectorSpec;
import io.tidemill.query.plan.TablePlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A step with all below it as one SELECT over named streams and tables. Steps make only the columns
 * that are used behind them, so that a source reads no more. The same program gives the same text.
 */
final class Rendering {
  /** SQL name that stands for all columns, where they are not known yet. */
  static final String ALL = "*";

  private final String title;
  private final TreeMap<Long, Step> steps = new TreeMap<>();
  private final Map<Long, Set<String>> wanted = new HashMap<>();
  private final Map<Long, String> names = new HashMap<>();
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
    collect(step);
    List<String> columns = step.visible().stream().map(Output::sqlName).toList();
    wanted.computeIfAbsent(step.number(), n -> new TreeSet<>()).addAll(columns);
    // Inputs have lower numbers, so that a step comes when all that use it have been here.
    steps.descendingMap().values().forEach(this::spread);
    steps.values().forEach(this::define);
    String items = columns.stream().map(Rendering::name).collect(Collectors.joining(", "));
    String with = commonTables.isEmpty() ? "" : "WITH " + String.join(",\n", commonTables) + "\n";
    this.sql = with + "SELECT " + items + " FROM " + names.get(step.number());
  }

  private static String name(String sqlName) {
    return sqlName.equals(ALL) ? ALL : Sql.name(sqlName);
  }

  private void collect(Step step) {
    if (steps.put(step.number(), step) == null) {
      step.inputs().forEach(this::collect);
    }
  }

  private void spread(Step step) {
    step.body()
        .ifPresent(
            body -> {
              for (Body.Use use : body.uses(wanted.getOrDefault(step.number(), Set.of()))) {
                long input = step.inputs().get(use.input()).number();
                wanted.computeIfAbsent(input, n -> new TreeSet<>()).add(use.column());
              }
            });
  }

  private void define(Step step) {
    if (step.relation().isPresent()) {
      names.put(step.number(), Sql.name(define(step.relation().get())));
      return;
    }
    List<String> inputs = step.inputs().stream().map(i -> names.get(i.number())).toList();
    String select =
        step.body().orElseThrow().sql(wanted.getOrDefault(step.number(), Set.of()), inputs);
    String name = Sql.name("step_" + (commonTables.size() + 1));
    commonTables.add(name + " AS (" + select + ")");
    names.put(step.number(), name);
  }

  private String define(Relation relation) {
    String kind = relation.isStream() ? "stream" : "table";
    String name = relation.name().orElse(kind + "_" + (relations.size() + 1));
    int offset = definitions.length();
    definitions.append(name).append(", a ").append(relation.connector()).append(' ').append(kind);
    definitions.append('\n');
    statements.addAll(relation.statements(name, offset));
    relations.put(owner(kind + " " + name), relation);
    return name;
  }

  private static String owner(String text) {
    return text.toLowerCase(Locale.ROOT);
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

  /** The static tables. */
  List<TablePlan> tables() {
    List<TablePlan> tables = new ArrayList<>();
    for (Statement statement : statements) {
      if (statement instanceof Statement.CreateTable table) {
        String owner = "table " + table.name();
        Relation relation = relations.get(owner(owner));
        tables.add(
            new TablePlan(
                table.name(),
                new ConnectorSpec(owner, relation.connector(), relation.options(), Map.of()),
                relation.declared()));
      }
    }
    return tables;
  }

  /** The columns as they were when the streams and tables were loaded. */
  ConnectorSchemas schemas() {
    return new ConnectorSchemas() {
      @Override
      public StreamColumns stream(ConnectorSpec connector, Schema declared) {
        return relations.get(owner(connector.owner())).columns();
      }

      @Override
      public Schema table(ConnectorSpec connector, Schema declared) {
        return relations.get(owner(connector.owner())).columns().visible();
      }
    };
  }
}
