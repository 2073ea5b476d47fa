package io.tidemill.connectors.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.connectors.Options;
import io.tidemill.connectors.Source;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.source.SourcePosition;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Broker.Extension.class)
class KafkaSourceTest {
  private Broker broker;
  private Source source;

  @BeforeEach
  void take(Broker broker) {
    this.broker = broker;
  }

  @AfterEach
  void close() {
    if (source != null) {
      source.close();
    }
  }

  private Source open(Options options) {
    source = KafkaConnectors.source().open(options, Schema.EMPTY, null);
    return source;
  }

  static SourcePosition position(String json) {
    return Json.read(json.replace('\'', '"'), SourcePosition.class);
  }

  /** The position without the ids of topics. */
  static SourcePosition offsets(SourcePosition position) {
    return new SourcePosition(KafkaPosition.of(position).offsets().json());
  }

  static List<String> ranges(Source.Range range) {
    return range.splits().stream()
        .map(KafkaRange::of)
        .map(r -> r.partition() + ":" + r.from() + "-" + r.until())
        .toList();
  }

  private Source.Range plan(SourcePosition from) {
    return source.plan(from, source.latest(from), true, 1_000);
  }

  static void fails(ErrorCode code, String text, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(code);
              assertThat(e.getMessage()).contains(text);
            });
  }

  @Test
  void startsAtTheChosenOffsets() {
    String topic = broker.topic(2);
    broker.send(topic, 0, "a", "b", "c");
    broker.send(topic, 1, "d");
    assertThat(open(broker.options(topic)).initial())
        .extracting(KafkaSourceTest::offsets)
        .isEqualTo(position("{'%s':{'0':0,'1':0}}".formatted(topic)));
    assertThat(open(broker.options(topic, "startingOffsets", null)).initial())
        .extracting(KafkaSourceTest::offsets)
        .isEqualTo(position("{'%s':{'0':3,'1':1}}".formatted(topic)));
    String given = "{\"%s\":{\"0\":2,\"1\":%d}}";
    assertThat(open(broker.options(topic, "startingOffsets", given.formatted(topic, -1))).initial())
        .extracting(KafkaSourceTest::offsets)
        .isEqualTo(position("{'%s':{'0':2,'1':1}}".formatted(topic)));
    assertThat(open(broker.options(topic, "startingOffsets", given.formatted(topic, -2))).initial())
        .extracting(KafkaSourceTest::offsets)
        .isEqualTo(position("{'%s':{'0':2,'1':0}}".formatted(topic)));
    fails(
        ErrorCode.INVALID_OPTION,
        "exactly the partitions",
        () ->
            open(broker.options(topic, "startingOffsets", "{\"" + topic + "\":{\"0\":2}}"))
                .initial());
  }

  @Test
  void timestampAfterTheLastRecordMeansTheEndOrAnErrorButNeverTheStart() {
    String topic = broker.topic(2);
    broker.sendAt(topic, 0, 1_000, "a", 2_000, "b", 3_000, "c");
    broker.sendAt(topic, 1, 1_000, "a", 1_500, "b");
    assertThat(open(broker.options(topic, "startingTimestamp", "1200")).initial())
        .extracting(KafkaSourceTest::offsets)
        .isEqualTo(position("{'%s':{'0':1,'1':1}}".formatted(topic)));
    fails(
        ErrorCode.INVALID_OPTION,
        topic + "-1",
        () -> open(broker.options(topic, "startingTimestamp", "1900")).initial());
    assertThat(
            open(broker.options(
                    topic,
                    "startingTimestamp",
                    "1900",
                    "startingOffsetsByTimestampStrategy",
                    "latest"))
                .initial())
        .extracting(KafkaSourceTest::offsets)
        .isEqualTo(position("{'%s':{'0':1,'1':2}}".formatted(topic)));
    String byTimestamp = "{\"%s\":{\"0\":3000,\"1\":0}}".formatted(topic);
    assertThat(open(broker.options(topic, "startingOffsetsByTimestamp", byTimestamp)).initial())
        .extracting(KafkaSourceTest::offsets)
        .isEqualTo(position("{'%s':{'0':2,'1':0}}".formatted(topic)));
    assertThat(
            open(broker.options(
                    topic, "startingOffsetsByTimestamp", byTimestamp, "startingTimestamp", "1200"))
                .initial())
        .extracting(KafkaSourceTest::offsets)
        .isEqualTo(position("{'%s':{'0':1,'1':1}}".formatted(topic)));
  }

  @Test
  void planCoversEverythingUpToTheLatestOffsets() {
    String topic = broker.topic(3);
    broker.send(topic, 0, "a", "b", "c");
    broker.send(topic, 2, "d");
    SourcePosition initial = open(broker.options(topic)).initial();
    Source.Range range = plan(initial);
    assertThat(ranges(range)).containsExactly("0:0-3", "2:0-1");
    assertThat(range.rowsEstimate()).isEqualTo(4);
    assertThat(range.end())
        .extracting(KafkaSourceTest::offsets)
        .isEqualTo(position("{'%s':{'0':3,'1':0,'2':1}}".formatted(topic)));
    assertThat(ranges(plan(range.end()))).isEmpty();
    assertThat(plan(range.end()).end()).isEqualTo(range.end());
    assertThat(source.metrics(initial, range.end()))
        .containsEntry("minOffsetsBehindLatest", "0")
        .containsEntry("maxOffsetsBehindLatest", "3")
        .containsEntry("avgOffsetsBehindLatest", Double.toString(4 / 3.0));
  }

  @Test
  void limitsHoldUnlessTheTriggerIgnoresThem() {
    String topic = broker.topic(2);
    broker.send(topic, 0, "a", "b", "c", "d");
    broker.send(topic, 1, "e", "f", "g", "h");
    SourcePosition initial =
        open(broker.options(topic, "maxOffsetsPerTrigger", "4", "maxRecordsPerPartition", "1"))
            .initial();
    assertThat(ranges(plan(initial))).containsExactly("0:0-1", "0:1-2", "1:0-1", "1:1-2");
    assertThat(source.plan(initial, source.latest(initial), false, 1_000).splits()).hasSize(8);
  }

  @Test
  void batchWaitsForEnoughOffsetsButNotForEver() {
    String topic = broker.topic(1);
    broker.send(topic, 0, "a");
    SourcePosition at =
        open(broker.options(topic, "minOffsetsPerTrigger", "3", "maxTriggerDelay", "10s"))
            .initial();
    long start = 1_000_000;
    at = source.plan(at, source.latest(at), true, start).end();
    assertThat(at)
        .as("the first batch fires")
        .extracting(KafkaSourceTest::offsets)
        .isEqualTo(position("{'%s':{'0':1}}".formatted(topic)));
    broker.send(topic, 0, "b", "c");
    Source.Range waiting = source.plan(at, source.latest(at), true, start + 4_000);
    assertThat(waiting.end()).isEqualTo(at);
    assertThat(waiting.waitMillis()).hasValue(6_000L);
    assertThat(ranges(source.plan(at, source.latest(at), true, start + 10_000)))
        .containsExactly("0:1-3");
    assertThat(ranges(source.plan(at, source.latest(at), false, start + 11_000)))
        .containsExactly("0:1-3");
    broker.send(topic, 0, "d");
    assertThat(ranges(source.plan(at, source.latest(at), true, start + 12_000)))
        .containsExactly("0:1-4");
  }

  @Test
  void newPartitionIsReadFromItsStart() {
    String topic = broker.topic(1);
    SourcePosition at = open(broker.options(topic, "startingOffsets", null)).initial();
    broker.addPartitions(topic, 2);
    broker.send(topic, 1, "a", "b");
    assertThat(ranges(plan(at))).containsExactly("1:0-2");
  }

  @Test
  void newPartitionWhoseStartIsGoneIsDataLoss() {
    String topic = broker.topic(2);
    broker.send(topic, 1, "a", "b", "c");
    broker.expire(topic, 1, 2);
    SourcePosition at = position("{'%s':{'0':0}}".formatted(topic));
    open(broker.options(topic));
    fails(ErrorCode.DATA_LOSS, "does not start at offset 0", () -> plan(at));
    open(broker.options(topic, "failOnDataLoss", "false"));
    assertThat(ranges(plan(at))).containsExactly("1:2-3");
  }

  @Test
  void deletedTopicIsDataLossOrSkipped() {
    String gone = broker.topic(1);
    String stays = broker.topic(1);
    broker.send(stays, 0, "a");
    SourcePosition at = position("{'%s':{'0':5},'%s':{'0':0}}".formatted(gone, stays));
    broker.delete(gone);
    open(broker.options(gone + "," + stays));
    fails(ErrorCode.DATA_LOSS, gone + "-0", () -> plan(at));
    open(broker.options(gone + ", " + stays, "failOnDataLoss", "false"));
    Source.Range range = plan(at);
    assertThat(ranges(range)).containsExactly("0:0-1");
    assertThat(range.end())
        .extracting(KafkaSourceTest::offsets)
        .isEqualTo(position("{'%s':{'0':1}}".formatted(stays)));
    assertThat(ranges(plan(range.end()))).isEmpty();
  }

  @Test
  void partitionThatEndsBeforeThePositionIsDataLossOrSkipped() {
    String topic = broker.topic(1);
    broker.send(topic, 0, "a");
    SourcePosition at = position("{'%s':{'0':9}}".formatted(topic));
    open(broker.options(topic));
    fails(ErrorCode.DATA_LOSS, "created anew", () -> plan(at));
    open(broker.options(topic, "failOnDataLoss", "false"));
    Source.Range range = plan(at);
    assertThat(ranges(range)).isEmpty();
    broker.send(topic, 0, "b");
    assertThat(ranges(plan(range.end()))).containsExactly("0:1-2");
  }

  @Test
  void ceilingOfAnAvailableNowRunKeepsLaterPartitionsAndRecordsOut() {
    String topic = broker.topic(1);
    broker.send(topic, 0, "a", "b", "c");
    SourcePosition at = open(broker.options(topic, "maxOffsetsPerTrigger", "2")).initial();
    SourcePosition ceiling = source.latest(at);
    broker.send(topic, 0, "d");
    broker.addPartitions(topic, 2);
    Source.Range first = source.plan(at, ceiling, true, 0);
    Source.Range second = source.plan(first.end(), ceiling, true, 0);
    Source.Range third = source.plan(second.end(), ceiling, true, 0);
    assertThat(ranges(first)).containsExactly("0:0-2");
    assertThat(ranges(second)).containsExactly("0:2-3");
    assertThat(ranges(third)).isEmpty();
    assertThat(third.end()).isEqualTo(ceiling);
  }

  @Test
  void patternFindsTopicsByPartOfTheirNameAlsoLaterOnes() {
    broker.create("east_sales_1", 1);
    Options options = broker.options("", "subscribe", null, "subscribePattern", "t_sales");
    SourcePosition at = open(options).initial();
    assertThat(at)
        .extracting(KafkaSourceTest::offsets)
        .isEqualTo(position("{'east_sales_1':{'0':0}}"));
    broker.create("west_sales_1", 1);
    broker.send("west_sales_1", 0, "a");
    assertThat(source.latest(at))
        .extracting(KafkaSourceTest::offsets)
        .isEqualTo(position("{'east_sales_1':{'0':0},'west_sales_1':{'0':1}}"));
  }

  @Test
  void assignReadsTheNamedPartitionsOnly() {
    String topic = broker.topic(3);
    Options options = assign(topic, "[2,0]");
    assertThat(open(options).initial())
        .extracting(KafkaSourceTest::offsets)
        .isEqualTo(position("{'%s':{'0':0,'2':0}}".formatted(topic)));
    fails(ErrorCode.SOURCE_MISSING, topic + "-7", () -> open(assign(topic, "[7]")).initial());
  }

  private Options assign(String topic, String partitions) {
    return broker.options(
        topic, "subscribe", null, "assign", "{\"" + topic + "\":" + partitions + "}");
  }

  @Test
  void missingTopicIsNamedWithTheNearestThatExists() {
    broker.create("payments_eu", 1);
    fails(
        ErrorCode.SOURCE_MISSING,
        "'payment_eu' does not exist. Did you mean 'payments_eu'?",
        () -> open(broker.options("payment_eu", "fetchOffset.numRetries", "2")).initial());
  }

  @Test
  void unreachableBrokerIsNamed() {
    Options options =
        broker.options(
            "t",
            "kafka.bootstrap.servers",
            "localhost:1",
            "kafka.default.api.timeout.ms",
            "300",
            "kafka.request.timeout.ms",
            "300",
            "fetchOffset.numRetries",
            "2");
    fails(ErrorCode.SOURCE_UNAVAILABLE, "localhost:1", () -> open(options).initial());
  }

  @Test
  void unresolvableBrokerIsNamed() {
    Options options = broker.options("t", "kafka.bootstrap.servers", "no-such-host.invalid:9092");
    fails(ErrorCode.SOURCE_UNAVAILABLE, "no-such-host.invalid", () -> open(options).initial());
  }

  @Test
  void onlyCommittedRecordsCountWithReadCommitted() {
    String topic = broker.topic(1);
    broker.send(topic, 0, "a");
    Options committed = broker.options(topic, "kafka.isolation.level", "read_committed");
    try (var producer = broker.producer(java.util.Map.of("transactional.id", topic))) {
      producer.initTransactions();
      producer.beginTransaction();
      Broker.await(producer, Broker.record(topic, 0, "open"));
      SourcePosition at = open(committed).initial();
      assertThat(source.latest(at))
          .extracting(KafkaSourceTest::offsets)
          .isEqualTo(position("{'%s':{'0':1}}".formatted(topic)));
      assertThat(open(broker.options(topic)).latest(at))
          .extracting(KafkaSourceTest::offsets)
          .isEqualTo(position("{'%s':{'0':2}}".formatted(topic)));
      producer.commitTransaction();
    }
    open(committed);
    SourcePosition end = position("{'%s':{'0':3}}".formatted(topic));
    Broker.until(
        () -> offsets(source.latest(position("{'%s':{'0':1}}".formatted(topic)))).equals(end));
  }

  @Test
  void descriptionNamesTopicsAndNothingElse() {
    assertThat(open(broker.options("orders")).description()).isEqualTo("kafka[subscribe=orders]");
  }
}
