package io.tidemill.badinput;

import static io.tidemill.badinput.Complaint.assertThatIt;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.broker.EmbeddedKafka;
import io.tidemill.process.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SecretsTest {
  private static final String MARKER = "hunter2marker";

  private static final String SECRETS =
      """
      'kafka.sasl.jaas.config' = 'org.apache.kafka.common.security.plain.PlainLoginModule required
          username="someone" password="hunter2marker";',
      'kafka.ssl.key.password' = 'hunter2marker',
      'kafka.ssl.keystore.password' = 'hunter2marker', 'kafka.ssl.truststore.password' = '${SECRET}',
      """;

  private static EmbeddedKafka kafka;

  @TempDir Path directory;

  @BeforeAll
  static void startBroker() throws Exception {
    kafka = EmbeddedKafka.start();
    kafka.createTopic("orders", 1);
    kafka.createTopic("copies", 1);
    StringSerializer text = new StringSerializer();
    Map<String, Object> client = Map.of("bootstrap.servers", kafka.bootstrapServers());
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(client, text, text)) {
      producer
          .send(new ProducerRecord<>("orders", "{\"customer_id\":\"a\",\"amount\":1.00}"))
          .get();
      producer
          .send(new ProducerRecord<>("orders", "{\"customer_id\":\"b\",\"amount\":2.00}"))
          .get();
    }
  }

  @AfterAll
  static void stopBroker() {
    kafka.close();
  }

  @Test
  void nothingThatIsPrintedOrStoredShowsASecret() throws IOException {
    KafkaJob job = job();
    for (List<String> arguments :
        List.of(
            job.arguments("plan"),
            job.arguments("run"),
            List.of("checkpoint", "show", directory.resolve("checkpoint").toString()),
            List.of("checkpoint", "show", "--json", directory.resolve("checkpoint").toString()))) {
      Outcome outcome = run(arguments);
      assertThat(outcome.code()).as(outcome.all()).isZero();
      assertThat(outcome.all()).isNotEmpty().doesNotContain(MARKER);
    }
    Outcome json = run(append(job.arguments("run"), "--json"));
    assertThat(json.all()).doesNotContain(MARKER);
    Files.delete(directory.resolve("job.sql"));
    assertThat(filesWith(MARKER)).isEmpty();
    assertThat(filesWith("copies")).isNotEmpty();
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        Arguments.of("subscribe = 'orders'", "subscribe = 'orders', assign = 'x'", 2),
        Arguments.of("subscribe = 'orders'", "subscribe = 'ordres'", 2),
        Arguments.of("startingOffsets", "startingOfsets", 2),
        Arguments.of("connector = 'kafka'", "connector = 'kafak'", 2),
        Arguments.of("'kafka.ssl.key.password' =", "'kafka.ssl.key.password'", 2),
        Arguments.of("'kafka.ssl.key.password'", "'kafka.ssl.keey.password'", 0),
        Arguments.of("'kafka.ssl.key.password'", "'kafka.acks' = 'x', 'kafka.ssl.key.password'", 2),
        Arguments.of("PlainLoginModule required", "hunter2marker required", 2),
        Arguments.of("PlainLoginModule required", "PlainLoginModule hunter2marker", 2),
        Arguments.of("password=\"hunter2marker\"", "password=hunter2marker more", 2),
        Arguments.of("password=\"hunter2marker\"", "hunter2marker", 2),
        Arguments.of("\";'", "\"'", 2));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void noMistakeShowsASecret(String part, String wrong, int code) {
    KafkaJob job = job().with(part, wrong);
    if (part.contains("Plain") || part.contains("\"")) {
      job.with(
          "'kafka.ssl.key.password' =",
          "'kafka.security.protocol' = 'SASL_PLAINTEXT', 'kafka.ssl.key.password' =");
    }
    for (String command : List.of("plan", "run")) {
      Outcome quiet = run(job.arguments(command));
      Outcome verbose = run(append(job.arguments(command), "--verbose"));
      assertThat(quiet.all() + verbose.all()).doesNotContain(MARKER);
      if (command.equals("run") && code > 0) {
        assertThatIt(quiet, code, "error: ");
      }
    }
  }

  private KafkaJob job() {
    return new KafkaJob(directory, kafka.bootstrapServers())
        .with("subscribe = 'orders',", SECRETS + "subscribe = 'orders',")
        .with(
            "'parquet', path = '${DIR}/out'",
            "'kafka', " + SECRETS + " 'kafka.bootstrap.servers' = '${SERVERS}', topic = 'copies'")
        .with("SELECT customer_id, amount", "SELECT customer_id AS value");
  }

  private static Outcome run(List<String> arguments) {
    List<String> all =
        arguments.get(0).equals("checkpoint")
            ? arguments
            : append(arguments, "--set", "SECRET=" + MARKER);
    return Outcome.of(all.toArray(String[]::new));
  }

  private static List<String> append(List<String> arguments, String... more) {
    return Stream.concat(arguments.stream(), Stream.of(more)).toList();
  }

  private List<Path> filesWith(String text) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(Files::isRegularFile)
          .filter(
              file -> {
                try {
                  return Files.readString(file, StandardCharsets.ISO_8859_1).contains(text);
                } catch (IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              })
          .toList();
    }
  }
}
