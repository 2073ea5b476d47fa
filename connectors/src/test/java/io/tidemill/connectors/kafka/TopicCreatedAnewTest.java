package io.tidemill.connectors.kafka;

import static io.tidemill.connectors.kafka.KafkaSourceTest.fails;
import static io.tidemill.connectors.kafka.KafkaSourceTest.offsets;
import static io.tidemill.connectors.kafka.KafkaSourceTest.position;
import static io.tidemill.connectors.kafka.KafkaSourceTest.ranges;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.connectors.Options;
import io.tidemill.connectors.Source;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.source.SourcePosition;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Topics that are deleted and created anew, which only their ids tell. */
@ExtendWith(Broker.Extension.class)
class TopicCreatedAnewTest {
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
    close();
    source = KafkaConnectors.source().open(options, Schema.EMPTY, null);
    return source;
  }

  private Source.Range plan(SourcePosition from) {
    return source.plan(from, source.latest(from), true, 1_000);
  }

  @Test
  void topicCreatedAnewWithMoreRecordsIsDataLossOrReadFromItsStart() {
    String topic = broker.topic(2);
    String stays = broker.topic(1);
    broker.send(topic, 0, "a", "b");
    broker.send(stays, 0, "x");
    SourcePosition at = plan(open(broker.options(topic + "," + stays)).initial()).end();
    broker.delete(topic);
    broker.create(topic, 2);
    broker.send(topic, 0, "c", "d", "e", "f");

    fails(ErrorCode.DATA_LOSS, "created anew", () -> plan(at));
    open(broker.options(topic + "," + stays, "failOnDataLoss", "false"));
    Source.Range range = plan(at);

    assertThat(ranges(range)).containsExactly("0:0-4");
    broker.send(topic, 0, "g");
    assertThat(ranges(plan(range.end()))).containsExactly("0:4-5");
    open(broker.options(topic + "," + stays));
    assertThat(ranges(plan(range.end()))).containsExactly("0:4-5");
  }

  @Test
  void topicCreatedAnewIsReadFromItsStartAlsoUnderALimitAndIfItIsEmpty() {
    String topic = broker.topic(1);
    broker.send(topic, 0, "a", "b");
    Options options = broker.options(topic, "failOnDataLoss", "false", "maxOffsetsPerTrigger", "2");
    SourcePosition at = plan(open(options).initial()).end();
    broker.delete(topic);
    broker.create(topic, 1);

    Source.Range empty = plan(at);
    assertThat(ranges(empty)).isEmpty();
    assertThat(empty.end())
        .extracting(KafkaSourceTest::offsets)
        .isEqualTo(position("{'%s':{'0':0}}".formatted(topic)));

    broker.send(topic, 0, "c", "d", "e");
    assertThat(ranges(plan(empty.end()))).containsExactly("0:0-2");
    Source.Range first = plan(at);
    assertThat(ranges(first)).containsExactly("0:0-2");
    assertThat(ranges(plan(first.end()))).containsExactly("0:2-3");
  }

  @Test
  void positionThatAnEarlierVersionStoredLearnsIdsWithTheNextRecords() {
    String topic = broker.topic(1);
    broker.send(topic, 0, "a");
    SourcePosition stored = position("{'%s':{'0':1}}".formatted(topic));
    open(broker.options(topic));

    assertThat(source.latest(stored)).isEqualTo(stored);
    assertThat(plan(stored).end()).isEqualTo(stored);

    broker.send(topic, 0, "b");
    SourcePosition learned = plan(stored).end();
    assertThat(learned.json().path(topic).path("id").isTextual()).isTrue();
    assertThat(plan(learned).end()).isEqualTo(learned);
    assertThat(source.shown(learned)).isEqualTo(position("{'%s':{'0':2}}".formatted(topic)).json());
  }

  @Test
  void positionOfAnotherShapeIsDamage() {
    for (String json : List.of("5", "{'t':5}", "{'t':{'id':5}}", "{'t':{'x':'y'}}")) {
      fails(
          ErrorCode.CHECKPOINT_CORRUPT, "not of the form", () -> KafkaPosition.of(position(json)));
    }
  }

  @Test
  void ceilingThatIsNoLongerThereFailsTheRun() {
    String topic = broker.topic(1);
    broker.send(topic, 0, "a", "b", "c");
    SourcePosition at = open(broker.options(topic, "maxOffsetsPerTrigger", "2")).initial();
    SourcePosition ceiling = source.latest(at);
    SourcePosition next = source.plan(at, ceiling, true, 0).end();
    broker.delete(topic);
    broker.create(topic, 1);
    fails(ErrorCode.DATA_LOSS, "created anew since", () -> source.plan(next, ceiling, true, 0));
    fails(
        ErrorCode.DATA_LOSS, "is shorter than", () -> source.plan(next, offsets(ceiling), true, 0));
    broker.delete(topic);
    fails(ErrorCode.DATA_LOSS, "has vanished", () -> source.plan(next, ceiling, true, 0));
  }

  @Test
  void ceilingIsLookedAfterOnceASecond() {
    String topic = broker.topic(1);
    broker.send(topic, 0, "a", "b", "c");
    SourcePosition at = open(broker.options(topic, "maxOffsetsPerTrigger", "2")).initial();
    SourcePosition ceiling = source.latest(at);
    SourcePosition next = source.plan(at, ceiling, true, 0).end();
    assertThat(ranges(source.plan(next, ceiling, true, 0))).containsExactly("0:2-3");
    broker.delete(topic);
    broker.create(topic, 1);
    assertThat(ranges(source.plan(next, ceiling, true, 999))).containsExactly("0:2-3");
    fails(ErrorCode.DATA_LOSS, "created anew since", () -> source.plan(next, ceiling, true, 1_000));
  }
}
