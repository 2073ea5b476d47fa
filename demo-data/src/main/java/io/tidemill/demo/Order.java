package io.tidemill.demo;

/** One order, overwritten by the next. */
final class Order {
  long number;
  int customer;
  long cents;
  long eventTimeMillis;
  int product;
}
