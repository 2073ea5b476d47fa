package io.tidemill.query.sql;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * DuckDB as parser and type checker: an in-memory database without data, files or network. One per
 * compilation, not thread-safe.
 */
public final class DuckSql implements AutoCloseable {
  private final Connection connection;
  private final Map<String, List<Macro>> macros = new HashMap<>();

  public DuckSql() {
    try {
      connection = DriverManager.getConnection("jdbc:duckdb:");
      run("SET TimeZone = 'UTC'");
      run("SET threads = 1");
      run("SET enable_external_access = false");
      run("SET lock_configuration = true");
    } catch (SQLException e) {
      throw new TidemillException(ErrorCode.INTERNAL, "DuckDB could not be started.", e);
    } catch (ExceptionInInitializerError | NoClassDefFoundError e) {
      throw new TidemillException(
              ErrorCode.STORAGE_UNAVAILABLE,
              "DuckDB's native library could not be loaded. Check that the temporary directory, to"
                  + " which it is copied, has 100 MB of free space and allows programs to be run.",
              e)
          .with("directory", System.getProperty("java.io.tmpdir"))
          .with("problem", root(e).getMessage());
    }
  }

  private static Throwable root(Throwable e) {
    return e.getCause() == null ? e : root(e.getCause());
  }

  /** A mistake DuckDB found in a text, with its place if it told. */
  public static final class SqlMistake extends Exception {
    private static final long serialVersionUID = 1L;
    private final long position;

    SqlMistake(String message, long position, Throwable cause) {
      super(message, cause);
      this.position = position;
    }

    /** Offset in the text given, or -1. */
    public long position() {
      return position;
    }
  }

  /** Parses one SELECT. */
  public Select parse(String sql) throws SqlMistake {
    JsonNode tree = parseAny(sql);
    JsonNode statements = tree.path("statements");
    if (statements.size() != 1) {
      throw new SqlMistake("Expected one SELECT.", -1, null);
    }
    return Select.of(statements.get(0).path("node"));
  }

  private JsonNode parseAny(String sql) throws SqlMistake {
    JsonNode tree =
        Json.read(scalar("SELECT json_serialize_sql(" + Sql.text(sql) + ")"), JsonNode.class);
    if (tree.path("error").asBoolean()) {
      String message = tree.path("error_message").asText();
      if (message.contains("Only SELECT statements")) {
        message = "Only a SELECT can stand here; PIVOT, INSERT and other statements cannot.";
      }
      throw new SqlMistake(message, tree.path("position").asLong(-1), null);
    }
    return tree;
  }

  /** The expression a text says, e.g. for options of the Java API. */
  public JsonNode parseExpression(String expression) throws SqlMistake {
    return parse("SELECT " + expression).selectList().get(0);
  }

  /** The SQL text of a query node. */
  public String text(Select select) {
    ObjectNode statement = JsonNodeFactory.instance.objectNode();
    statement.put("error", false);
    statement
        .putArray("statements")
        .addObject()
        .<ObjectNode>set("node", select.node())
        .putArray("named_param_map");
    try {
      return scalar("SELECT json_deserialize_sql(" + Sql.text(Json.write(statement)) + ")");
    } catch (SqlMistake e) {
      throw new TidemillException(
          ErrorCode.INTERNAL, "A rewritten query could not be written as SQL.", e);
    }
  }

  /** The SQL text of an expression. */
  public String text(JsonNode expression) {
    try {
      Select carrier = parse("SELECT 1");
      carrier.setSelectList(List.of(Tree.aliased(expression, "")));
      return text(carrier).substring("SELECT ".length());
    } catch (SqlMistake e) {
      throw new TidemillException(
          ErrorCode.INTERNAL, "An expression could not be written as SQL.", e);
    }
  }

  /** Column names and types of a query, without running it. */
  public Schema describe(String sql) throws SqlMistake {
    List<Column> columns = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("DESCRIBE " + sql)) {
      while (rows.next()) {
        columns.add(Column.of(rows.getString(1), rows.getString(2)));
      }
    } catch (SQLException e) {
      throw mistake(e);
    }
    return new Schema(columns);
  }

  /** Makes an empty table known. */
  public void createTable(String name, Schema schema) throws SqlMistake {
    execute("CREATE OR REPLACE TABLE " + Sql.name(name) + " " + schema.ddl());
  }

  public void execute(String sql) throws SqlMistake {
    try {
      run(sql);
    } catch (SQLException e) {
      throw mistake(e);
    }
  }

  /** The single value of a query as text. */
  public String scalar(String sql) throws SqlMistake {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getString(1) : null;
    } catch (SQLException e) {
      throw mistake(e);
    }
  }

  /** The canonical spelling of a type, e.g. {@code BIGINT} for {@code int8}. */
  public Optional<String> canonicalType(String type) {
    try {
      return Optional.of(
          describe("SELECT CAST(NULL AS " + type + ") AS x").columns().get(0).type());
    } catch (SqlMistake e) {
      return Optional.empty();
    }
  }

  /** True if the function is an aggregate of DuckDB. */
  public boolean isAggregate(String function) {
    return known().aggregates().contains(function.toLowerCase(Locale.ROOT));
  }

  /** True if an expression calls a function that gives something new for each row. */
  public boolean isRandom(JsonNode expression) {
    return Functions.calls(expression, known().random());
  }

  /**
   * True if what a function gives depends on more than its arguments, or if calling it has an
   * effect.
   */
  public boolean looksOutside(String function) {
    Functions known = known();
    return known.random().contains(function)
        || known.fixedForQuery().contains(function)
        || known.ofCatalog().contains(function);
  }

  /** True if an expression gives the same for a row in every batch. */
  public boolean isConstantForRow(JsonNode expression) {
    return !isRandom(expression) && !Functions.calls(expression, known().fixedForQuery());
  }

  /**
   * A macro of DuckDB.
   *
   * @param body the expression it stands for, over its parameters as columns
   */
  public record Macro(List<String> parameters, JsonNode body) {
    public Macro {
      parameters = List.copyOf(parameters);
    }
  }

  /** The macros of a name whose body is an expression; most names have none. */
  public List<Macro> macros(String function) {
    String name = function.toLowerCase(Locale.ROOT);
    return known().macros().contains(name)
        ? macros.computeIfAbsent(name, this::readMacros)
        : List.of();
  }

  private List<Macro> readMacros(String name) {
    List<Macro> found = new ArrayList<>();
    String select =
        "SELECT to_json(parameters), macro_definition FROM duckdb_functions() WHERE function_type ="
            + " 'macro' AND schema_name = 'main' AND function_name = "
            + Sql.text(name);
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(select)) {
      while (rows.next()) {
        List<String> parameters = new ArrayList<>();
        Json.read(rows.getString(1), JsonNode.class).forEach(p -> parameters.add(p.asText()));
        found.add(new Macro(parameters, parseExpression(rows.getString(2))));
      }
    } catch (SQLException | SqlMistake e) {
      throw new TidemillException(ErrorCode.INTERNAL, "DuckDB did not list its macros.", e);
    }
    return List.copyOf(found);
  }

  /** All scalar and aggregate function names. */
  public Set<String> functions() {
    return known().all();
  }

  private Functions known() {
    try {
      return Functions.of(connection);
    } catch (SQLException e) {
      throw new TidemillException(ErrorCode.INTERNAL, "DuckDB did not list its functions.", e);
    }
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static SqlMistake mistake(SQLException e) {
    String message = e.getMessage();
    int line = message.indexOf("\n\nLINE ");
    return new SqlMistake((line < 0 ? message : message.substring(0, line)).strip(), -1, e);
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new TidemillException(ErrorCode.INTERNAL, "DuckDB could not be closed.", e);
    }
  }
}
