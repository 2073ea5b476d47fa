package io.tidemill.demo;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes an order as JSON, about 150 bytes. Reused for one order after the other: a million a
 * second leaves no room for a general writer.
 */
final class OrderText {
  private static final byte[] ORDER_ID = ascii("{\"order_id\":\"");
  private static final byte[] NO_ORDER_ID = ascii("{\"order_no\":\"");
  private static final byte[] CUSTOMER_ID = ascii("\",\"customer_id\":\"c-");
  private static final byte[] AMOUNT = ascii("\",\"amount\":");
  private static final byte[] EVENT_TIME = ascii(",\"event_time\":\"");
  private static final byte[] PRODUCT = ascii("Z\",\"product\":\"sku-");
  private static final byte[] CHANNEL = ascii("\",\"channel\":\"");
  private static final byte[] END = ascii("\"}");
  private static final byte[] WORD = ascii("\"plenty\"");
  private static final byte[][] CHANNELS = {
    ascii("web"), ascii("app"), ascii("store"), ascii("phone"), ascii("partner")
  };
  private static final int BROKEN_BYTES = 60;

  private final byte[] bytes = new byte[256];
  private final CivilTime time = new CivilTime();
  private int length;

  /** The order's text; a fresh array. */
  byte[] of(Order order) {
    write(order, ORDER_ID, null, 2);
    return Arrays.copyOf(bytes, length);
  }

  /** The order's text with something wrong in it. */
  byte[] malformed(Order order, Defect defect) {
    switch (defect) {
      case BROKEN_JSON -> {
        write(order, ORDER_ID, null, 2);
        length = BROKEN_BYTES;
      }
      case WRONG_TYPE -> write(order, ORDER_ID, WORD, 2);
      case MISSING_FIELD -> write(order, NO_ORDER_ID, null, 2);
      case EXCESS_DECIMALS -> write(order, ORDER_ID, null, 3);
    }
    return Arrays.copyOf(bytes, length);
  }

  private void write(Order order, byte[] first, byte[] amount, int decimals) {
    length = 0;
    put(first);
    digits(order.number, 12);
    put(CUSTOMER_ID);
    digits(order.customer, 5);
    put(AMOUNT);
    if (amount == null) {
      amount(order.cents, decimals);
    } else {
      put(amount);
    }
    put(EVENT_TIME);
    length = time.write(order.eventTimeMillis, bytes, length);
    put(PRODUCT);
    digits(order.product, 6);
    put(CHANNEL);
    put(CHANNELS[order.product % CHANNELS.length]);
    put(END);
  }

  private void amount(long cents, int decimals) {
    long whole = cents / 100;
    digits(whole, whole < 10 ? 1 : whole < 100 ? 2 : 3);
    bytes[length++] = '.';
    digits(cents % 100, 2);
    if (decimals == 3) {
      bytes[length++] = '5';
    }
  }

  private void digits(long value, int count) {
    long rest = value;
    for (int i = length + count - 1; i >= length; i--) {
      bytes[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    length += count;
  }

  private void put(byte[] text) {
    System.arraycopy(text, 0, bytes, length, text.length);
    length += text.length;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
