package io.tidemill.badinput;

import static io.tidemill.badinput.Complaint.assertThatIt;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.broker.EmbeddedKafka;
import io.tidemill.process.Command;
import io.tidemill.process.CommandRun;
import io.tidemill.process.Outcome;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FailingKafkaTest {
  /** Reserved for nobody: nothing listens there. */
  private static final String NOBODY = "localhost:1";

  private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);

  private static EmbeddedKafka kafka;

  @TempDir static Path elsewhere;
  private static CommandRun unanswered;

  @TempDir Path directory;

  /** Waiting for nobody takes its time, so it is done meanwhile. */
  @BeforeAll
  static void startBroker() throws Exception {
    unanswered = Command.classPath(elsewhere).run(new KafkaJob(elsewhere, NOBODY).arguments("run"));
    kafka = EmbeddedKafka.start();
  }

  @AfterAll
  static void stopBroker() {
    kafka.close();
    unanswered.close();
  }

  @Test
  @Order(Integer.MAX_VALUE)
  void brokerThatDoesNotAnswerIsNamedWithinHalfAMinute() throws Exception {
    int code = unanswered.awaitEnd(HALF_A_MINUTE);
    assertThatIt(new Outcome(code, "", unanswered.output()), 1, "Kafka", "servers: " + NOBODY);
  }

  @Test
  void sinkWhoseBrokerDoesNotAnswerIsNamed() {
    kafka.createTopic("read", 1);
    Outcome outcome =
        job()
            .with("'orders'", "'read'")
            .with(
                "'parquet', path = '${DIR}/out'",
                "'kafka', 'kafka.bootstrap.servers' = '"
                    + NOBODY
                    + "', topic = 't', 'kafka.default.api.timeout.ms' = '1000',"
                    + " 'kafka.request.timeout.ms' = '1000'")
            .with("SELECT customer_id, amount", "SELECT customer_id AS value")
            .run();
    assertThatIt(outcome, 1, "Kafka", "servers: " + NOBODY, "sink: copies");
  }

  @Test
  void topicThatIsNotThereIsNamedWithTheNearestThatIs() {
    kafka.createTopic("order", 1);
    assertThatIt(job().with("'orders'", "'ordre'").run(), 2, "'ordre'", "Did you mean 'order'?");
    Outcome sink =
        job()
            .with("'orders'", "'order'")
            .with(
                "'parquet', path = '${DIR}/out'",
                "'kafka', 'kafka.bootstrap.servers' = '${SERVERS}', topic = 'ordre'")
            .with("SELECT customer_id, amount", "SELECT customer_id AS value")
            .run();
    assertThatIt(sink, 2, "'ordre'", "Did you mean 'order'?", "sink: copies");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "subscribe = 'orders'  | subscribe = 'orders', assign = '{\"\"orders\"\":[0]}' | 4:25",
        "subscribe = 'orders'  | subscribe = 'orders', subscribePattern = 'o.*'        | 4:25",
        "subscribe = 'orders'  | subscribePattern = 'o.*', assign = '{\"\"o\"\":[0]}'  | 4:29",
        "subscribe = 'orders', | \"\"                                                  | 2:3",
      })
  void oneWayToNameTopicsIsNeededAndOnlyOne(String part, String wrong, String at) {
    assertThatIt(
        job().with(part, wrong).run(), 2, "subscribe", "subscribePattern", "assign", ":" + at, "^");
  }

  @Test
  void malformedRecordFailsTheQueryWithItsPlaceAndNothingIsLost() throws Exception {
    kafka.createTopic("mixed", 1);
    send("mixed", "{\"customer_id\":\"a\",\"amount\":1.00}");
    send("mixed", "{\"customer_id\":\"b\",\"amount\":2.00}");
    send("mixed", "{\"customer_id\":\"c\",\"amount\":3.00}");
    send("mixed", "{\"customer_id\":\"d\",\"amount\":\"plenty\"}");
    send("mixed", "{\"customer_id\":\"e\",\"amount\":5.00}");

    for (int again = 0; again < 2; again++) {
      assertThatIt(
          job().with("'orders'", "'mixed'").run(), 1, "mixed", "partition 0", "offset 3", "amount");
      assertThat(total()).isEqualTo("3.00");
    }
    Outcome good =
        job()
            .with("'orders'", "'mixed'")
            .with("format = 'json'", "format = 'json', malformed = 'drop'")
            .run();
    assertThat(good.code()).as(good.all()).isZero();
    assertThat(total()).isEqualTo("11.00");
  }

  private KafkaJob job() {
    return new KafkaJob(directory, kafka.bootstrapServers());
  }

  private static void send(String topic, String value) throws Exception {
    StringSerializer text = new StringSerializer();
    Map<String, Object> client = Map.of("bootstrap.servers", kafka.bootstrapServers());
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(client, text, text)) {
      producer.send(new ProducerRecord<>(topic, value)).get();
    }
  }

  private String total() throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT sum(amount)::VARCHAR FROM read_parquet('"
                    + directory
                    + "/out/*.parquet')")) {
      row.next();
      return row.getString(1);
    }
  }
}
