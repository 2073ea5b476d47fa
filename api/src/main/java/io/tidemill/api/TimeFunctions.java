package io.tidemill.api;

import io.tidemill.api.types.TimePattern;

/**
 * Functions of dates and times, part of {@link functions}. Times are UTC. Patterns are Java's, e.g.
 * {@code yyyy-MM-dd HH:mm:ss}.
 */
sealed class TimeFunctions extends NumberFunctions permits TextFunctions {
  TimeFunctions() {}

  /** The time of the batch. */
  public static Column current_timestamp() {
    return call("current_localtimestamp", "current_timestamp");
  }

  /** The time of the batch. */
  public static Column now() {
    return current_timestamp();
  }

  /** The day of the batch. */
  public static Column current_date() {
    return call("today", "current_date");
  }

  /** A text in ISO 8601, perhaps with an offset, as time; one that is no time fails the query. */
  public static Column to_timestamp(Column text) {
    return new Column(
        Form.of(
            "make_timestamp(epoch_us(CAST({0} AS TIMESTAMPTZ)))",
            "to_timestamp", text.expression()));
  }

  /** A text as time; one that does not have the pattern fails the query. */
  public static Column to_timestamp(Column text, String pattern) {
    return patterned("strptime({0}, {1})", "to_timestamp", text, pattern);
  }

  /** A text as time; null for one that does not have the pattern. */
  public static Column try_to_timestamp(Column text, String pattern) {
    return patterned("try_strptime({0}, {1})", "try_to_timestamp", text, pattern);
  }

  public static Column to_date(Column textOrTime) {
    return new Column(Form.of("CAST({0} AS DATE)", "to_date", textOrTime.expression()));
  }

  public static Column to_date(Column text, String pattern) {
    return patterned("CAST(strptime({0}, {1}) AS DATE)", "to_date", text, pattern);
  }

  public static Column date_format(Column time, String pattern) {
    return patterned("strftime({0}, {1})", "date_format", time, pattern);
  }

  private static Column patterned(String sql, String name, Column of, String pattern) {
    Constant format = Constant.of(TimePattern.strftime(pattern));
    return new Column(Form.of(sql, name, of.expression(), new Constant(format.sql(), pattern)));
  }

  /** The time cut to a unit: second, minute, hour, day, week, month, quarter or year. */
  public static Column date_trunc(String unit, Column time) {
    return call("date_trunc", functions.lit(unit), time);
  }

  /** Seconds since 1970 as time. */
  public static Column timestamp_seconds(Column seconds) {
    return new Column(
        Form.of(
            "make_timestamp(CAST({0} * 1000000 AS BIGINT))",
            "timestamp_seconds", seconds.expression()));
  }

  /** Milliseconds since 1970 as time. */
  public static Column timestamp_millis(Column millis) {
    return new Column(
        Form.of("make_timestamp({0} * 1000)", "timestamp_millis", millis.expression()));
  }

  /** Microseconds since 1970 as time. */
  public static Column timestamp_micros(Column micros) {
    return call("make_timestamp", "timestamp_micros", micros);
  }

  /** Whole seconds since 1970. */
  public static Column unix_timestamp(Column time) {
    return new Column(
        Form.of("CAST(floor(epoch({0})) AS BIGINT)", "unix_timestamp", time.expression()));
  }

  public static Column unix_millis(Column time) {
    return call("epoch_ms", "unix_millis", time);
  }

  public static Column year(Column time) {
    return part("year", time);
  }

  public static Column quarter(Column time) {
    return part("quarter", time);
  }

  public static Column month(Column time) {
    return part("month", time);
  }

  public static Column dayofmonth(Column time) {
    return part("day", "dayofmonth", time);
  }

  /** The day of the week, Sunday being 1. */
  public static Column dayofweek(Column time) {
    return new Column(
        Form.of("CAST(dayofweek({0}) + 1 AS INTEGER)", "dayofweek", time.expression()));
  }

  public static Column dayofyear(Column time) {
    return part("dayofyear", time);
  }

  public static Column hour(Column time) {
    return part("hour", time);
  }

  public static Column minute(Column time) {
    return part("minute", time);
  }

  public static Column second(Column time) {
    return part("second", time);
  }

  private static Column part(String unit, Column time) {
    return part(unit, unit, time);
  }

  private static Column part(String unit, String name, Column time) {
    return new Column(Form.of("CAST(" + unit + "({0}) AS INTEGER)", name, time.expression()));
  }

  public static Column date_add(Column day, int days) {
    return new Column(
        Form.of("CAST(CAST({0} AS DATE) + (" + days + ") AS DATE)", "date_add", day.expression()));
  }

  public static Column date_sub(Column day, int days) {
    return date_add(day, -days);
  }

  /** Days from the start to the end. */
  public static Column datediff(Column end, Column start) {
    return new Column(
        Form.of(
            "CAST(CAST({0} AS DATE) - CAST({1} AS DATE) AS INTEGER)",
            "datediff", end.expression(), start.expression()));
  }
}
