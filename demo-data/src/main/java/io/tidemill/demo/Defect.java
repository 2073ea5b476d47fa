package io.tidemill.demo;

/** Ways in which an order can be malformed. */
public enum Defect {
  /** The text ends in the middle. */
  BROKEN_JSON,
  /** The amount is a word. */
  WRONG_TYPE,
  /** There is no {@code order_id}. */
  MISSING_FIELD,
  /** The amount has three decimals, and a DECIMAL(18,2) would have to round it. */
  EXCESS_DECIMALS
}
