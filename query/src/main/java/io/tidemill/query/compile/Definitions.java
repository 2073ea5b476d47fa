package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.query.job.JobFile;
import io.tidemill.query.job.JobText;
import io.tidemill.query.job.Statement;
import io.tidemill.query.plan.ConnectorSpec;
import io.tidemill.query.plan.OwnNames;
import io.tidemill.query.plan.SourcePlan;
import io.tidemill.query.sql.DuckSql;
import io.tidemill.query.sql.DuckSql.SqlMistake;
import io.tidemill.query.sql.Tree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Checks the streams and tables of a job and works out their columns. */
final class Definitions {
  private final JobText job;
  private final DuckSql sql;
  private final ConnectorSchemas schemas;
  private final Catalog catalog = new Catalog();

  Definitions(JobFile file, DuckSql sql, ConnectorSchemas schemas) {
    this.job = file.text();
    this.sql = sql;
    this.schemas = schemas;
    file.all(Statement.CreateStream.class).forEach(this::stream);
    file.all(Statement.CreateTable.class).forEach(this::table);
  }

  Catalog catalog() {
    return catalog;
  }

  private void stream(Statement.CreateStream stream) {
    free(stream.name(), stream.offset());
    Schema declared = canonical(stream.columns(), stream.offset());
    Map<String, Statement.Option> options = new LinkedHashMap<>(stream.options());
    String malformed = take(options, "malformed").map(Statement.Option::value).orElse("fail");
    Optional<Statement.Option> deadLetter = take(options, "deadLetter");
    List<String> choices = List.of("fail", "drop", "dead-letter");
    if (choices.stream().noneMatch(malformed::equalsIgnoreCase)) {
      throw job.error(
          ErrorCode.INVALID_OPTION,
          stream.offset(),
          stream.name().length(),
          "malformed is one of fail, drop, dead-letter." + Nearest.hint(malformed, choices));
    }
    boolean toSink = malformed.equalsIgnoreCase("dead-letter");
    if (toSink != deadLetter.isPresent()) {
      throw job.error(
          ErrorCode.INVALID_OPTION,
          stream.offset(),
          stream.name().length(),
          toSink
              ? "malformed = 'dead-letter' needs deadLetter = '<name of a sink>'."
              : "deadLetter goes with malformed = 'dead-letter'.");
    }
    ConnectorSpec connector =
        schemas.resolve(
            connector(job, "stream " + stream.name(), options, stream.offset()), declared);
    ConnectorSchemas.StreamColumns columns = schemas.stream(connector, declared);
    catalog.streams.put(
        stream.name(),
        new Catalog.StreamEntry(
            stream.name(),
            connector,
            declared,
            checkNames(columns.visible(), stream.offset()),
            hidden(columns),
            stream.watermark().map(w -> eventTime(w, columns.visible())),
            deadLetter.map(Statement.Option::value),
            malformed.equalsIgnoreCase("drop")));
  }

  /** Columns reached by their hidden names, unless the stream has one of that name. */
  private static Schema hidden(ConnectorSchemas.StreamColumns columns) {
    return new Schema(
        columns.hidden().columns().stream()
            .filter(c -> columns.visible().find(c.name()).isEmpty())
            .toList());
  }

  private void table(Statement.CreateTable table) {
    free(table.name(), table.offset());
    Schema declared = canonical(table.columns(), table.offset());
    ConnectorSpec connector =
        schemas.resolve(
            connector(job, "table " + table.name(), table.options(), table.offset()), declared);
    catalog.tables.put(
        table.name(),
        new Catalog.TableEntry(
            table.name(),
            connector,
            declared,
            checkNames(schemas.table(connector, declared), table.offset())));
  }

  private void free(String name, int offset) {
    checkName(job, name, offset, catalog.names());
  }

  /** Refuses names of streams, tables and views that are taken, by the engine or by the job. */
  static void checkName(JobText job, String name, int offset, Set<String> taken) {
    if (name.startsWith(OwnNames.TABLES)) {
      throw job.error(
          ErrorCode.JOB_SYNTAX,
          offset,
          name.length(),
          "Names of tables that start with "
              + OwnNames.TABLES
              + " are the engine's own; use another.");
    }
    if (taken.stream().anyMatch(n -> n.equalsIgnoreCase(name))) {
      throw job.error(
          ErrorCode.JOB_SYNTAX, offset, name.length(), "The name " + name + " is taken.");
    }
  }

  /** The columns, if none has a name of the engine's. */
  private Schema checkNames(Schema columns, int offset) {
    for (String name : columns.names()) {
      if (name.toLowerCase(Locale.ROOT).startsWith(OwnNames.PREFIX)) {
        throw job.error(
            ErrorCode.JOB_SYNTAX,
            offset,
            1,
            "The column "
                + name
                + " has a name of the engine's own; use one that does not start with "
                + OwnNames.PREFIX
                + ".");
      }
    }
    return columns;
  }

  static ConnectorSpec connector(
      JobText job, String owner, Map<String, Statement.Option> options, int offset) {
    Map<String, String> values = new LinkedHashMap<>();
    Map<String, String> origins = new HashMap<>();
    String name = null;
    for (Map.Entry<String, Statement.Option> option : options.entrySet()) {
      if (option.getKey().equalsIgnoreCase("connector")) {
        name = option.getValue().value();
        origins.put("connector", job.at(option.getValue().offset()));
      } else {
        values.put(option.getKey(), option.getValue().value());
        origins.put(option.getKey(), job.at(option.getValue().offset()));
      }
    }
    if (name == null) {
      throw job.error(
          ErrorCode.INVALID_OPTION, offset, 1, "The " + owner + " needs connector = '<name>'.");
    }
    return new ConnectorSpec(owner, name, values, origins);
  }

  private static Optional<Statement.Option> take(
      Map<String, Statement.Option> options, String name) {
    Optional<String> key = options.keySet().stream().filter(name::equalsIgnoreCase).findFirst();
    return key.map(options::remove);
  }

  private Schema canonical(Schema columns, int offset) {
    List<Column> canonical = new ArrayList<>();
    Set<String> names = new java.util.HashSet<>();
    for (Column column : columns.columns()) {
      if (!names.add(column.name().toLowerCase(Locale.ROOT))) {
        throw job.error(
            ErrorCode.JOB_SYNTAX, offset, 1, "The column " + column.name() + " is declared twice.");
      }
      String type =
          sql.canonicalType(column.type())
              .orElseThrow(
                  () ->
                      job.error(
                          ErrorCode.UNKNOWN_NAME,
                          offset,
                          1,
                          "The column "
                              + column.name()
                              + " has no type '"
                              + column.type()
                              + "'; use one of DuckDB's types."));
      canonical.add(new Column(column.name(), type, column.required()));
    }
    return new Schema(canonical);
  }

  private SourcePlan.EventTime eventTime(Statement.WatermarkClause clause, Schema columns) {
    Column column =
        columns
            .find(clause.column())
            .orElseThrow(
                () ->
                    wrong(
                        clause,
                        ErrorCode.UNKNOWN_NAME,
                        "There is no column '"
                            + clause.column()
                            + "'."
                            + Nearest.hint(clause.column(), columns.names())));
    if (!column.type().equals("TIMESTAMP")) {
      throw wrong(
          clause,
          ErrorCode.ILLEGAL_QUERY,
          "A watermark needs a TIMESTAMP column; " + column.name() + " is " + column.type() + ".");
    }
    try {
      JsonNode expression = sql.parseExpression(clause.expression());
      if (isColumn(expression, column)) {
        return new SourcePlan.EventTime(column.name(), 0);
      }
      boolean minus =
          Tree.isFunction(expression)
              && Tree.function(expression).equals("-")
              && Tree.arguments(expression).size() == 2
              && isColumn(Tree.arguments(expression).get(0), column)
              && EventTimes.isConstant(sql, Tree.arguments(expression).get(1));
      if (minus) {
        long millis = EventTimes.delayMillis(sql, sql.text(Tree.arguments(expression).get(1)));
        if (millis >= 0) {
          return new SourcePlan.EventTime(column.name(), millis);
        }
      }
    } catch (SqlMistake e) {
      throw wrong(clause, ErrorCode.JOB_SYNTAX, e.getMessage());
    }
    throw wrong(
        clause,
        ErrorCode.JOB_SYNTAX,
        "A watermark is written WATERMARK FOR "
            + column.name()
            + " AS "
            + column.name()
            + " - INTERVAL 10 MINUTES, with an interval of zero or more.");
  }

  private static boolean isColumn(JsonNode expression, Column column) {
    return Tree.isColumn(expression)
        && Tree.names(expression).size() == 1
        && Tree.names(expression).get(0).equalsIgnoreCase(column.name());
  }

  private io.tidemill.protocol.error.TidemillException wrong(
      Statement.WatermarkClause clause, ErrorCode code, String message) {
    return job.error(code, clause.offset(), clause.expression().length(), message);
  }
}
