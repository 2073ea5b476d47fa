package io.tidemill.connectors.kafka;

import io.tidemill.connectors.Options;
import io.tidemill.connectors.SinkContext;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The options of a Kafka sink, read and checked.
 *
 * @param name the sink's own name, made fit for Kafka ids and for keys
 * @param topic where all rows go; empty if each row has its topic
 * @param exactlyOnce whether rows are sent in transactions
 * @param client {@code kafka.*} options as written, and defaults for what is not
 */
record SinkSettings(
    String name, Optional<String> topic, boolean exactlyOnce, Map<String, Object> client) {
  static final String TOPIC = "topic";
  static final String DELIVERY = "delivery";

  /** Types of keys and values. JSON is a text, and what to_json gives. */
  private static final List<String> BYTES = List.of("VARCHAR", "BLOB", "JSON");

  private static final String EXACTLY_ONCE = "exactly-once";
  private static final String AT_LEAST_ONCE = "at-least-once";

  /** The last one is for the engine. */
  private static final List<String> KNOWN = List.of(ClientOptions.PREFIX, TOPIC, DELIVERY, "mode");

  private static final Map<String, Object> DEFAULTS =
      Map.of(
          "max.block.ms", 20_000,
          // Long enough for a large batch. After a crash, readers of committed records wait this
          // long at most, if the query is not started again before.
          "transaction.timeout.ms", 300_000,
          "linger.ms", 5,
          "batch.size", 1 << 17);

  static SinkSettings of(Options options) {
    options.check(KNOWN);
    ClientOptions.checkSink(options);
    String delivery = options.oneOf(DELIVERY, EXACTLY_ONCE, List.of(EXACTLY_ONCE, AT_LEAST_ONCE));
    Map<String, Object> client = new HashMap<>(DEFAULTS);
    client.putAll(ClientOptions.written(options));
    return new SinkSettings(
        name(options), options.text(TOPIC), delivery.equals(EXACTLY_ONCE), client);
  }

  /** The owner is "sink revenue"; two names never become the same. */
  private static String name(Options options) {
    String owner = options.owner();
    StringBuilder name = new StringBuilder();
    owner
        .substring(owner.lastIndexOf(' ') + 1)
        .chars()
        .forEach(
            c -> {
              if (c < 128 && (Character.isLetterOrDigit(c) || c == '-')) {
                name.append((char) c);
              } else {
                name.append('_').append(Integer.toHexString(c)).append('_');
              }
            });
    return name.toString();
  }

  /** One for each sink of a query: a second producer with the same id would fence the first. */
  String transactionalId(SinkContext context) {
    return "tidemill-" + context.query() + "-" + name;
  }

  /** Where the brokers are, for errors. */
  String servers() {
    return client.get(ClientOptions.SERVERS).toString();
  }

  /** Checks that the columns are those of a record. Others are left out, as in Spark. */
  void checkColumns(Options options, Schema rows) {
    if (rows.find("value").isEmpty()) {
      throw options.invalid("connector", "a query with a column 'value'");
    }
    if (topic.isEmpty() && rows.find(TOPIC).isEmpty()) {
      throw options.invalid(TOPIC, "a topic, or a query with a column 'topic'");
    }
    checkType(options, rows, "value", BYTES);
    checkType(options, rows, "key", BYTES);
    checkType(options, rows, "partition", List.of("INTEGER"));
    checkType(options, rows, TOPIC, List.of("VARCHAR"));
    checkType(options, rows, HeadersColumn.NAME, List.of(HeadersColumn.TYPE));
  }

  private static void checkType(Options options, Schema rows, String column, List<String> allowed) {
    Optional<Column> found = rows.find(column);
    if (found.isEmpty()) {
      return;
    }
    String type = plain(found.get().type());
    if (allowed.stream().noneMatch(a -> plain(a).equals(type))) {
      throw options
          .invalid("connector", "column '" + column + "' to be " + String.join(" or ", allowed))
          .with("type", found.get().type());
    }
  }

  private static String plain(String type) {
    return type.replace("\"", "").replace(" ", "").toUpperCase(Locale.ROOT);
  }
}
