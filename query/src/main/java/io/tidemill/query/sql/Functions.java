package io.tidemill.query.sql;

import com.fasterxml.jackson.databind.JsonNode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * What DuckDB's functions are; the same in every instance of the library, and slow to ask for, so
 * asked once in a process.
 *
 * @param all lower-case names of scalar and aggregate functions and macros
 * @param aggregates those that aggregate
 * @param macros those that stand for other expressions
 * @param random those that give something new for each row
 * @param fixedForQuery those that give the same within a query, but not in the next
 * @param ofCatalog macros that imitate another database's view of users, privileges and tables
 */
record Functions(
    Set<String> all,
    Set<String> aggregates,
    Set<String> macros,
    Set<String> random,
    Set<String> fixedForQuery,
    Set<String> ofCatalog) {
  private static volatile Functions known;

  Functions {
    all = Set.copyOf(all);
    aggregates = Set.copyOf(aggregates);
    macros = Set.copyOf(macros);
    random = Set.copyOf(random);
    fixedForQuery = Set.copyOf(fixedForQuery);
    ofCatalog = Set.copyOf(ofCatalog);
  }

  static Functions of(Connection connection) throws SQLException {
    Functions found = known;
    if (found == null) {
      found = read(connection);
      known = found;
    }
    return found;
  }

  private static Functions read(Connection connection) throws SQLException {
    Set<String> all = new HashSet<>();
    Set<String> aggregates = new HashSet<>();
    Set<String> macros = new HashSet<>();
    Set<String> random = new HashSet<>();
    Set<String> fixedForQuery = new HashSet<>();
    Set<String> ofCatalog = new HashSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT DISTINCT function_name, function_type, stability, schema_name = 'main' FROM"
                    + " duckdb_functions()"
                    + " WHERE function_type IN ('aggregate', 'scalar', 'macro')")) {
      while (rows.next()) {
        String name = rows.getString(1).toLowerCase(Locale.ROOT);
        if (!rows.getBoolean(4)) {
          ofCatalog.add(name);
          continue;
        }
        all.add(name);
        if (rows.getString(2).equals("aggregate")) {
          aggregates.add(name);
        }
        if (rows.getString(2).equals("macro")) {
          macros.add(name);
        }
        if ("VOLATILE".equals(rows.getString(3))) {
          random.add(name);
        }
        if ("CONSISTENT_WITHIN_QUERY".equals(rows.getString(3))) {
          fixedForQuery.add(name);
        }
      }
    }
    ofCatalog.removeAll(all);
    return new Functions(all, aggregates, macros, random, fixedForQuery, ofCatalog);
  }

  static boolean calls(JsonNode expression, Set<String> functions) {
    return Conditions.holds(
        expression, n -> Tree.isFunction(n) && functions.contains(Tree.function(n)));
  }
}
