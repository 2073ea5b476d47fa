package io.tidemill.connectors.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.connectors.Options;
import io.tidemill.connectors.SinkConnector;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SinkOptionsTest {
  private static final Schema VALUE = Schema.of("value", "VARCHAR");

  private final SinkConnector connector = KafkaConnectors.sink();

  private static Options options(String... namesAndValues) {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("kafka.bootstrap.servers", "localhost:1");
    for (int i = 0; i < namesAndValues.length; i += 2) {
      options.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return Options.of("sink alerts", options);
  }

  private void refused(ErrorCode code, String text, Options options, Schema rows) {
    assertThatThrownBy(() -> connector.validate(options, rows))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(code);
              assertThat(e.getMessage()).contains(text);
            });
  }

  @Test
  void valueAndTopicAreNeeded() {
    connector.validate(options("topic", "t"), VALUE);
    connector.validate(options(), Schema.of("VALUE", "BLOB", "Topic", "VARCHAR"));
    refused(
        ErrorCode.INVALID_OPTION,
        "column 'value'",
        options("topic", "t"),
        Schema.of("v", "VARCHAR"));
    refused(ErrorCode.INVALID_OPTION, "column 'topic'", options(), VALUE);
  }

  @Test
  void columnsOfOtherTypesAreRefused() {
    refused(
        ErrorCode.INVALID_OPTION,
        "column 'value' to be VARCHAR or BLOB",
        options("topic", "t"),
        Schema.of("value", "BIGINT"));
    refused(
        ErrorCode.INVALID_OPTION,
        "column 'partition' to be INTEGER",
        options("topic", "t"),
        Schema.of("value", "BLOB", "partition", "BIGINT"));
    refused(
        ErrorCode.INVALID_OPTION,
        "column 'headers'",
        options("topic", "t"),
        Schema.of("value", "BLOB", "headers", "MAP(VARCHAR, VARCHAR)"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"key.serializer", "value.serializer", "transactional.id"})
  void producerSettingsThatWouldBreakTheGuaranteeAreRefused(String name) {
    refused(
        ErrorCode.INVALID_OPTION,
        "'kafka." + name,
        options("topic", "t", "kafka." + name, "x"),
        VALUE);
  }

  @Test
  void mistypedNamesAndValuesGetTheNearestOnes() {
    refused(
        ErrorCode.INVALID_OPTION,
        "Did you mean 'exactly-once'?",
        options("topic", "t", "delivery", "exactly once"),
        VALUE);
    refused(ErrorCode.UNKNOWN_OPTION, "Did you mean 'topic'?", options("topics", "t"), VALUE);
  }

  @Test
  void differentSinksNeverShareAName() {
    assertThat(SinkSettings.of(options("topic", "t")).name()).isEqualTo("alerts");
    Map<String, String> all = Map.of("kafka.bootstrap.servers", "localhost:1", "topic", "t");
    assertThat(SinkSettings.of(Options.of("sink a.b", all)).name())
        .isNotEqualTo(SinkSettings.of(Options.of("sink a_b", all)).name());
  }
}
