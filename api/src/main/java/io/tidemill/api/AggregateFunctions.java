package io.tidemill.api;

import java.util.ArrayList;
import java.util.List;

/** Aggregate functions, part of {@link functions}. */
sealed class AggregateFunctions permits NumberFunctions {
  AggregateFunctions() {}

  static Column call(String function, Column... arguments) {
    return call(function, function, arguments);
  }

  static Column call(String duckFunction, String sparkFunction, Column... arguments) {
    List<Expression> expressions = new ArrayList<>();
    for (Column argument : arguments) {
      expressions.add(argument.expression());
    }
    return new Column(Form.call(duckFunction, sparkFunction, expressions));
  }

  /** The number of rows in which the column is not null; of all rows for a constant. */
  public static Column count(Column column) {
    return call("count", column);
  }

  /** The number of rows in which the column is not null; of all rows for {@code *}. */
  public static Column count(String column) {
    return column.equals("*")
        ? new Column(new Form("count(*)", "count(1)", true, List.of()))
        : count(functions.col(column));
  }

  /** The number of different combinations without nulls. */
  public static Column countDistinct(Column column, Column... more) {
    List<Expression> all = new ArrayList<>(List.of(column.expression()));
    StringBuilder places = new StringBuilder("{0}");
    StringBuilder known = new StringBuilder("{0} IS NOT NULL");
    for (Column other : more) {
      places.append(", {").append(all.size()).append('}');
      known.append(" AND {").append(all.size()).append("} IS NOT NULL");
      all.add(other.expression());
    }
    String sql =
        more.length == 0
            ? "count(DISTINCT {0})"
            : "count(DISTINCT (" + places + ")) FILTER (WHERE " + known + ")";
    return new Column(new Form(sql, "count(DISTINCT " + places + ")", true, all));
  }

  public static Column countDistinct(String column, String... more) {
    List<Column> all = functions.columns(column, more);
    return countDistinct(all.get(0), all.subList(1, all.size()).toArray(new Column[0]));
  }

  public static Column count_distinct(Column column, Column... more) {
    return countDistinct(column, more);
  }

  public static Column approx_count_distinct(Column column) {
    return call("approx_count_distinct", column);
  }

  public static Column approx_count_distinct(String column) {
    return approx_count_distinct(functions.col(column));
  }

  public static Column sum(Column column) {
    return call("sum", column);
  }

  public static Column sum(String column) {
    return sum(functions.col(column));
  }

  /** The sum of the different values. */
  public static Column sum_distinct(Column column) {
    return new Column(Form.of("sum(DISTINCT {0})", "sum_distinct", column.expression()));
  }

  public static Column avg(Column column) {
    return call("avg", column);
  }

  public static Column avg(String column) {
    return avg(functions.col(column));
  }

  public static Column mean(Column column) {
    return avg(column);
  }

  public static Column mean(String column) {
    return avg(column);
  }

  public static Column min(Column column) {
    return call("min", column);
  }

  public static Column min(String column) {
    return min(functions.col(column));
  }

  public static Column max(Column column) {
    return call("max", column);
  }

  public static Column max(String column) {
    return max(functions.col(column));
  }

  public static Column first(Column column) {
    return call("first", column);
  }

  public static Column first(String column) {
    return first(functions.col(column));
  }

  public static Column first(Column column, boolean ignoreNulls) {
    return ignoreNulls ? call("any_value", "first", column) : first(column);
  }

  public static Column last(Column column) {
    return call("last", column);
  }

  public static Column last(String column) {
    return last(functions.col(column));
  }

  public static Column last(Column column, boolean ignoreNulls) {
    return ignoreNulls
        ? new Column(
            Form.of("last({0}) FILTER (WHERE {0} IS NOT NULL)", "last", column.expression()))
        : last(column);
  }

  /** The value of the row with the greatest key; null if it is null there. */
  public static Column max_by(Column value, Column key) {
    return call("arg_max_null", "max_by", value, key);
  }

  /** The value of the row with the least key; null if it is null there. */
  public static Column min_by(Column value, Column key) {
    return call("arg_min_null", "min_by", value, key);
  }

  /** The values that are not null. */
  public static Column collect_list(Column column) {
    return collected("list({0})", "collect_list", column);
  }

  public static Column collect_list(String column) {
    return collect_list(functions.col(column));
  }

  /** The different values that are not null. */
  public static Column collect_set(Column column) {
    return collected("list(DISTINCT {0})", "collect_set", column);
  }

  public static Column collect_set(String column) {
    return collect_set(functions.col(column));
  }

  private static Column collected(String list, String name, Column column) {
    String sql = "coalesce(" + list + " FILTER (WHERE {0} IS NOT NULL), [])";
    return new Column(Form.of(sql, name, column.expression()));
  }

  public static Column stddev(Column column) {
    return call("stddev", column);
  }

  public static Column stddev_pop(Column column) {
    return call("stddev_pop", column);
  }

  public static Column variance(Column column) {
    return call("variance", column);
  }

  public static Column var_pop(Column column) {
    return call("var_pop", column);
  }

  public static Column covar_pop(Column a, Column b) {
    return call("covar_pop", a, b);
  }

  public static Column covar_samp(Column a, Column b) {
    return call("covar_samp", a, b);
  }

  /** The value below which a part of the values lies, about. */
  public static Column percentile_approx(Column column, double part) {
    return new Column(
        Form.of("approx_quantile({0}, " + part + ")", "percentile_approx", column.expression()));
  }

  /** Whether any of the values is true. */
  public static Column bool_or(Column column) {
    return call("bool_or", column);
  }

  /** Whether all values are true. */
  public static Column bool_and(Column column) {
    return call("bool_and", column);
  }
}
