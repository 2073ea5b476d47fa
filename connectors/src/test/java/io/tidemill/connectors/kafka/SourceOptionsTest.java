package io.tidemill.connectors.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.connectors.Options;
import io.tidemill.connectors.SourceConnector;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SourceOptionsTest {
  private static final Schema DECLARED = Schema.of("id", "VARCHAR");

  private final SourceConnector connector = KafkaConnectors.source();

  private static Options options(String... namesAndValues) {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("kafka.bootstrap.servers", "localhost:1");
    for (int i = 0; i < namesAndValues.length; i += 2) {
      options.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return Options.of("stream orders", options);
  }

  private void refused(ErrorCode code, String text, Options options) {
    assertThatThrownBy(() -> connector.validate(options, Schema.EMPTY))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(code);
              assertThat(e.getMessage()).contains(text);
            });
  }

  @Test
  void namesAreMatchedWithoutCase() {
    connector.validate(
        options(
            "SUBSCRIBE",
            "orders",
            "StartingOffsets",
            "EARLIEST",
            "MAXOFFSETSPERTRIGGER",
            "5",
            "KAFKA.Isolation.Level",
            "read_committed"),
        Schema.EMPTY);
  }

  @Test
  void exactlyOneWayToChooseTopicsIsNeeded() {
    refused(ErrorCode.INVALID_OPTION, "which topics to read", options());
    refused(
        ErrorCode.INVALID_OPTION,
        "only one of subscribe, subscribePattern and assign",
        options("subscribe", "a", "assign", "{\"a\":[0]}"));
    refused(
        ErrorCode.INVALID_OPTION,
        "only one of",
        options("subscribe", "a", "subscribePattern", "a"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"endingOffsets", "endingOffsetsByTimestamp", "endingTimestamp"})
  void endsAreRefusedAsAStreamHasNone(String name) {
    refused(ErrorCode.INVALID_OPTION, "a stream has no end", options("subscribe", "a", name, "1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "auto.offset.reset",
        "key.deserializer",
        "value.deserializer",
        "enable.auto.commit",
        "interceptor.classes"
      })
  void clientSettingsThatWouldBreakTheGuaranteeAreRefused(String name) {
    refused(
        ErrorCode.INVALID_OPTION,
        "kafka." + name,
        options("subscribe", "a", "kafka." + name, "earliest"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "assign|[0]",
        "assign|{\"a\":[-1]}",
        "assign|{\"a\":[]}",
        "assign|nonsense",
        "subscribePattern|(",
        "subscribe|,",
      })
  void topicChoiceThatCannotBeReadIsRefused(String name, String value) {
    refused(ErrorCode.INVALID_OPTION, "'" + name + "'", options(name, value));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "startingOffsets|sometimes",
        "startingOffsets|{\"a\":{\"0\":-3}}",
        "startingOffsets|{\"a\":{\"x\":1}}",
        "startingOffsets|{\"a\":3}",
        "startingOffsetsByTimestamp|{\"a\":{\"0\":-1}}",
        "startingOffsetsByTimestampStrategy|maybe",
        "startingTimestamp|yesterday",
        "maxOffsetsPerTrigger|0",
        "minOffsetsPerTrigger|-1",
        "minPartitions|0",
        "maxRecordsPerPartition|0",
        "maxTriggerDelay|soon",
        "failOnDataLoss|perhaps",
        "kafka.request.timeout.ms|long",
        "format|xml",
      })
  void valueOfTheWrongKindIsRefused(String name, String value) {
    refused(ErrorCode.INVALID_OPTION, "'" + name + "'", options("subscribe", "a", name, value));
  }

  @Test
  void minimumAboveMaximumIsRefused() {
    refused(
        ErrorCode.INVALID_OPTION,
        "no more than maxOffsetsPerTrigger",
        options("subscribe", "a", "minOffsetsPerTrigger", "9", "maxOffsetsPerTrigger", "8"));
  }

  @Test
  void unknownOptionNamesTheNearestKnownOne() {
    refused(
        ErrorCode.UNKNOWN_OPTION,
        "Did you mean 'startingOffsets'?",
        options("subscribe", "a", "startingOffset", "latest"));
  }

  @Test
  void brokersAreRequired() {
    assertThatThrownBy(
            () ->
                connector.validate(
                    Options.of("stream orders", Map.of("subscribe", "a")), Schema.EMPTY))
        .hasMessageContaining("kafka.bootstrap.servers");
  }

  @Test
  void columnListNeedsAFormatAndAFormatNeedsAColumnList() {
    assertThatThrownBy(() -> connector.validate(options("subscribe", "a"), DECLARED))
        .hasMessageContaining("json, csv or text");
    refused(ErrorCode.INVALID_OPTION, "column list", options("subscribe", "a", "format", "json"));
    connector.validate(options("subscribe", "a", "format", "JSON"), DECLARED);
    assertThat(connector.payload(options("subscribe", "a", "format", "csv")))
        .hasValueSatisfying(p -> assertThat(p.column()).isEqualTo("fields"));
  }

  @Test
  void headersAreAColumnOfARawStreamOnlyIfAskedFor() {
    assertThat(connector.rawSchema(options("subscribe", "a"), Schema.EMPTY).names())
        .containsExactly(
            "key", "value", "topic", "partition", "offset", "timestamp", "timestampType");
    assertThat(
            connector
                .rawSchema(options("subscribe", "a", "includeHeaders", "true"), Schema.EMPTY)
                .names())
        .contains("headers");
  }
}
