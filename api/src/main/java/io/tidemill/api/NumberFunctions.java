package io.tidemill.api;

/** Functions of numbers, part of {@link functions}. */
sealed class NumberFunctions extends AggregateFunctions permits TimeFunctions {
  NumberFunctions() {}

  public static Column abs(Column number) {
    return call("abs", number);
  }

  /** Rounded half away from zero. */
  public static Column round(Column number) {
    return call("round", number);
  }

  public static Column round(Column number, int scale) {
    return new Column(Form.of("round({0}, " + scale + ")", "round", number.expression()));
  }

  /** The greatest whole number not above, as BIGINT. */
  public static Column floor(Column number) {
    return new Column(Form.of("CAST(floor({0}) AS BIGINT)", "FLOOR", number.expression()));
  }

  /** The least whole number not below, as BIGINT. */
  public static Column ceil(Column number) {
    return new Column(Form.of("CAST(ceil({0}) AS BIGINT)", "CEIL", number.expression()));
  }

  public static Column sqrt(Column number) {
    return call("sqrt", number);
  }

  public static Column pow(Column base, Object exponent) {
    return call("pow", base, functions.lit(exponent));
  }

  public static Column exp(Column number) {
    return call("exp", number);
  }

  /** The natural logarithm. */
  public static Column log(Column number) {
    return call("ln", "ln", number);
  }

  public static Column log10(Column number) {
    return call("log10", number);
  }

  public static Column signum(Column number) {
    return call("sign", "signum", number);
  }

  /** A random number from 0 to 1, the same again when a batch is run again. */
  public static Column rand() {
    return call("random", "rand");
  }
}
