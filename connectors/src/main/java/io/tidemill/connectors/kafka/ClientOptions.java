package io.tidemill.connectors.kafka;

import io.tidemill.connectors.Options;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The {@code kafka.*} options of a stream or sink, turned into settings of Kafka's clients. */
final class ClientOptions {
  static final String PREFIX = "kafka.";
  static final String SERVERS = "bootstrap.servers";

  private static final Set<String> FORBIDDEN_FOR_SOURCE =
      Set.of(
          "auto.offset.reset",
          "key.deserializer",
          "value.deserializer",
          "enable.auto.commit",
          "interceptor.classes");
  private static final Set<String> FORBIDDEN_FOR_SINK =
      Set.of("key.serializer", "value.serializer", "transactional.id");

  private ClientOptions() {}

  /** What the user wrote, without the prefix; names in lower case as Kafka has them. */
  static Map<String, Object> written(Options options) {
    options.required(PREFIX + SERVERS);
    Map<String, Object> written = new TreeMap<>();
    options
        .withPrefix(PREFIX)
        .forEach((name, value) -> written.put(name.toLowerCase(Locale.ROOT), value));
    // Nobody reads them from outside, and registering them slows every start.
    written.putIfAbsent("metric.reporters", "");
    written.putIfAbsent("enable.metrics.push", "false");
    return written;
  }

  static void checkSource(Options options) {
    Map<String, Object> written = written(options);
    refuse(options, written, FORBIDDEN_FOR_SOURCE);
    written.put("key.deserializer", ByteArrayDeserializer.class);
    written.put("value.deserializer", ByteArrayDeserializer.class);
    parse(options, written, () -> new ConsumerConfig(written));
  }

  static void checkSink(Options options) {
    Map<String, Object> written = written(options);
    refuse(options, written, FORBIDDEN_FOR_SINK);
    written.put("key.serializer", ByteArraySerializer.class);
    written.put("value.serializer", ByteArraySerializer.class);
    parse(options, written, () -> new ProducerConfig(written));
  }

  /** For an admin client: without the settings that only the other client knows. */
  static Map<String, Object> forAdmin(Map<String, Object> written, Set<String> otherClient) {
    return without(written, otherClient, AdminClientConfig.configNames());
  }

  /** For a consumer, likewise. */
  static Map<String, Object> forConsumer(Map<String, Object> written, Set<String> otherClient) {
    return without(written, otherClient, ConsumerConfig.configNames());
  }

  private static Map<String, Object> without(
      Map<String, Object> written, Set<String> otherClient, Set<String> known) {
    Map<String, Object> settings = new TreeMap<>(written);
    settings.keySet().removeIf(name -> otherClient.contains(name) && !known.contains(name));
    return settings;
  }

  private static void refuse(Options options, Map<String, Object> written, Set<String> forbidden) {
    for (String name : written.keySet()) {
      if (forbidden.contains(name)) {
        throw options.invalid(PREFIX + name, "it to be left out, as Tidemill sets it itself");
      }
    }
  }

  private static void parse(Options options, Map<String, Object> written, Runnable config) {
    try {
      config.run();
    } catch (ConfigException e) {
      String name =
          options.withPrefix(PREFIX).keySet().stream()
              .filter(n -> e.getMessage().contains(n.toLowerCase(Locale.ROOT)))
              .findFirst()
              .orElse("*");
      throw options
          .invalid(PREFIX + name, "a value that Kafka's client accepts")
          .with("client", Problem.of(written, e).text());
    }
  }
}
