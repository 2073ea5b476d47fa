package io.tidemill.functions;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.crash.TopicReader;
import io.tidemill.host.Faults;
import io.tidemill.process.Outcome;
import io.tidemill.protocol.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/** Brokers that want TLS and a user, with secrets that jobs refer to, and brokers of MSK. */
class KafkaSecurityIT {
  private static final String ORDERS_PASSWORD = "reads-orders-8731";
  private static final String OLD_PASSWORD = "is-rotated-4410";
  private static final String NEW_PASSWORD = "is-rotated-9947";
  private static final String LARGE_PASSWORD = "writes-large-5520";
  private static final String WRONG_PASSWORD = "is-of-nobody-6618";
  private static final AwsSessionCredentialsIdentity ROLE =
      AwsSessionCredentialsIdentity.create("ROLEKEYID", "role-key-7702", "role-token-3391");
  private static final AwsSessionCredentialsIdentity OTHER_ROLE =
      AwsSessionCredentialsIdentity.create("ROLEKEYID", "role-key-0000", "role-token-3391");

  /** Time for all there is in one run: secrets are looked up by each. */
  private static final Duration RUN = Duration.ofMinutes(5);

  /** The error comes from brokers, not from waiting for them. */
  private static final Duration REFUSED_WITHIN = Duration.ofSeconds(15);

  private static final String JOB =
      """
      CREATE STREAM orders (customer VARCHAR NOT NULL, amount DECIMAL(18,2) NOT NULL) WITH (
        connector = 'kafka', SOURCE_SECURITY,
        subscribe = '${IN}', startingOffsets = 'earliest', format = 'json'
      );
      CREATE SINK NAME WITH (connector = 'kafka', SINK_SECURITY, topic = 'NAME');
      SET checkpoint = '${DIR}/checkpoint';
      SET trigger = 'available-now';
      INSERT INTO NAME
      SELECT customer AS key, to_json({'doubled': amount * 2}) AS value FROM orders WHERE amount > 5;
      """;

  private static final String SCRAM =
      """
      'kafka.bootstrap.servers' = '${SERVERS}',
        'kafka.security.protocol' = 'SASL_SSL', 'kafka.sasl.mechanism' = 'SCRAM-SHA-512',
        'kafka.sasl.jaas.config' = 'org.apache.kafka.common.security.scram.ScramLoginModule required
          username="USER" password="PASSWORD";',
        'kafka.ssl.truststore.type' = 'PEM',
        'kafka.ssl.truststore.certificates' = '${ssm:/kafka/authority}'\
      """;

  private static final String READER =
      SCRAM
          .replace("USER", "${secret:orders#user}")
          .replace("PASSWORD", "${secret:orders#password}");
  private static final String WRITER =
      SCRAM.replace("USER", "large").replace("PASSWORD", "${ssm:/kafka/large}");

  private static final String MSK =
      """
      'kafka.bootstrap.servers' = '${SERVERS}',
        'kafka.security.protocol' = 'SASL_SSL', 'kafka.sasl.mechanism' = 'AWS_MSK_IAM',
        'kafka.sasl.jaas.config' = 'software.amazon.msk.auth.iam.IAMLoginModule required;',
        'kafka.sasl.client.callback.handler.class' =
          'software.amazon.msk.auth.iam.IAMClientCallbackHandler',
        'kafka.ssl.truststore.type' = 'PEM',
        'kafka.ssl.truststore.certificates' = '${ssm:/kafka/authority}'\
      """;

  private static final String TLS =
      """
      'kafka.bootstrap.servers' = '${TLS_SERVERS}', 'kafka.security.protocol' = 'SSL',
        'kafka.ssl.keystore.type' = 'PEM', 'kafka.ssl.keystore.key' = '${secret:client#key}',
        'kafka.ssl.keystore.certificate.chain' = '${secret:client#certificates}',
        'kafka.ssl.truststore.type' = 'PEM',
        'kafka.ssl.truststore.certificates' = '${ssm:/kafka/authority}'\
      """;

  @TempDir static Path directory;

  private static final MskAuthentication IDENTITIES = new MskAuthentication(ROLE);
  private static SecureBroker broker;
  private static SecretServer secrets;
  private static Deployment deployment;

  @BeforeAll
  static void deploy() throws Exception {
    broker = new SecureBroker(directory, IDENTITIES);
    broker.user("orders", ORDERS_PASSWORD);
    broker.user("large", LARGE_PASSWORD);
    broker.user("rotated", OLD_PASSWORD);
    secrets =
        new SecretServer()
            .withSecret("orders", secret("orders", ORDERS_PASSWORD))
            .withSecret("wrong", secret("orders", WRONG_PASSWORD))
            .withSecret("rotated", secret("rotated", OLD_PASSWORD))
            .withSecret("client", Json.write(clientSecret()))
            .withParameter("/kafka/large", LARGE_PASSWORD)
            .withParameter("/kafka/authority", broker.certificates().authority());
    Path jobs = Files.createDirectories(directory.resolve("jobs"));
    String wrong = READER.replace("secret:orders", "secret:wrong");
    write(jobs, "scram", READER, WRITER);
    String rotated = READER.replace("secret:orders", "secret:rotated");
    write(jobs, "first", rotated, rotated);
    write(jobs, "second", rotated, rotated);
    write(jobs, "msk", MSK, MSK);
    write(jobs, "tls", TLS, TLS);
    write(jobs, "strange", TLS.replaceAll("(?s)\\s*'kafka.ssl.keystore[^,]*,", ""), WRITER);
    write(jobs, "badsource", wrong, WRITER);
    write(jobs, "badsink", READER, wrong);
    write(jobs, "untrusted", READER.replaceAll("(?s),\\s*'kafka.ssl.*", ""), WRITER);
    Map<String, String> variables = new TreeMap<>();
    variables.put("DIR", directory.toString());
    variables.put("SERVERS", broker.serversForUsers());
    variables.put("TLS_SERVERS", broker.serversForCertificates());
    variables.put("IN", "orders");
    variables.put("AWS_ENDPOINT_URL_SECRETS_MANAGER", secrets.endpoint());
    variables.put("AWS_ENDPOINT_URL_SSM", secrets.endpoint());
    variables.put("AWS_ACCESS_KEY_ID", ROLE.accessKeyId());
    variables.put("AWS_SECRET_ACCESS_KEY", ROLE.secretAccessKey());
    variables.put("AWS_SESSION_TOKEN", ROLE.sessionToken());
    deployment =
        new Deployment(
            directory.resolve("host"), jobs.toString(), Faults.NONE, RUN, false, variables);
    broker.createTopic("orders");
    send("a", "10.00");
    send("b", "2.00");
    send("c", "5.01");
  }

  @AfterAll
  static void close() {
    deployment.close();
    secrets.close();
    broker.close();
  }

  private static String secret(String user, String password) {
    return "{\"user\":\"" + user + "\",\"password\":\"" + password + "\"}";
  }

  private static Map<String, String> clientSecret() {
    Certificates certificates = broker.certificates();
    return Map.of("key", certificates.clientKey(), "certificates", certificates.client());
  }

  private static void write(Path jobs, String name, String source, String sink) throws IOException {
    broker.createTopic(name);
    Files.writeString(
        jobs.resolve(name + ".sql"),
        JOB.replace("SOURCE_SECURITY", source)
            .replace("SINK_SECURITY", sink)
            .replace("NAME", name));
  }

  private static void send(String customer, String amount) throws Exception {
    StringSerializer text = new StringSerializer();
    Map<String, Object> client = Map.of("bootstrap.servers", broker.plainServers());
    String order = "{\"customer\":\"%s\",\"amount\":%s}".formatted(customer, amount);
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(client, text, text)) {
      producer.send(new ProducerRecord<>("orders", order)).get();
    }
  }

  private static JsonNode run(String query) throws Exception {
    JsonNode answer = deployment.ask("trigger", query);
    assertThat(answer.path("outcome").asText()).isEqualTo("done");
    return answer;
  }

  /** What a query has sent. */
  private static List<String> sent(String query) {
    List<String> rows = new ArrayList<>();
    TopicReader.read(
        broker.plainServers(),
        query,
        "read_committed",
        row -> rows.add(row.key() + " " + row.value()));
    return rows;
  }

  /** Looks through all that the functions have printed, answered and written. */
  private static void assertNowhere(String... values) throws Exception {
    deployment.awaitQuiet();
    try (Stream<Path> files = Files.walk(directory)) {
      List<Path> written =
          files
              .filter(Files::isRegularFile)
              .filter(file -> !file.toString().endsWith(".jar"))
              .toList();
      assertThat(written.stream().map(Path::toString))
          .anyMatch(file -> file.contains("/checkpoint/"))
          .anyMatch(file -> file.endsWith("/log"));
      for (Path file : written) {
        assertThat(content(file)).as(file.toString()).doesNotContain(values);
      }
    }
  }

  private static String content(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aJobReadsAndWritesWithSecretsThatStandNowhere() throws Exception {
    run("scram");
    assertThat(sent("scram"))
        .contains("a {\"doubled\":20.00}", "c {\"doubled\":10.02}")
        .noneMatch(row -> row.startsWith("b"));
    for (String action : List.of("plan", "status")) {
      String answer = deployment.ask(action, "scram").toString();
      assertThat(answer).doesNotContain(ORDERS_PASSWORD, LARGE_PASSWORD);
    }
    assertNowhere(ORDERS_PASSWORD, LARGE_PASSWORD);
  }

  @Test
  void functionsConnectToMskWithTheirRole() throws Exception {
    run("msk");
    assertThat(sent("msk")).contains("a {\"doubled\":20.00}");
    assertThat(IDENTITIES.accepted()).isNotEmpty().allMatch(agent -> agent.contains("msk"));
    assertNowhere(ROLE.secretAccessKey(), ROLE.sessionToken());

    IDENTITIES.change(OTHER_ROLE);
    assertRefused("msk");
    IDENTITIES.change(ROLE);
  }

  @Test
  void aKeyAndItsCertificateComeFromASecretToo() throws Exception {
    run("tls");
    assertThat(sent("tls")).contains("a {\"doubled\":20.00}");
    String[] lines = broker.certificates().clientKey().split("\n", -1);
    assertNowhere(lines[1]);
  }

  @ParameterizedTest
  @CsvSource({"scram", "msk"})
  void theCommandTakesTheSameJobs(String job) {
    Outcome plan =
        Outcome.of(
            "plan",
            directory.resolve("jobs").resolve(job + ".sql").toString(),
            "--set",
            "DIR=" + directory,
            "--set",
            "SERVERS=" + broker.serversForUsers(),
            "--set",
            "IN=orders",
            "--set",
            "secret=" + ORDERS_PASSWORD,
            "--set",
            "ssm=" + broker.certificates().authority());
    assertThat(plan.code()).as(plan.all()).isZero();
    assertThat(plan.all()).contains("exactly once").doesNotContain(ORDERS_PASSWORD);
  }

  @ParameterizedTest
  @CsvSource({"badsource", "badsink", "untrusted", "strange"})
  void aClientThatIsRefusedFailsAtOnceAndSaysSo(String query) throws Exception {
    assertThat(assertRefused(query))
        .contains("kafka.*")
        .containsAnyOf(broker.serversForUsers(), broker.serversForCertificates());
    assertThat(sent(query)).isEmpty();
    assertNowhere(WRONG_PASSWORD, ORDERS_PASSWORD, LARGE_PASSWORD);
  }

  private static String assertRefused(String query) throws Exception {
    long started = System.nanoTime();
    HttpResponse<byte[]> response = deployment.send(Deployment.event("trigger", query));
    Duration took = Duration.ofNanos(System.nanoTime() - started);
    String answer = Deployment.text(response);
    assertThat(response.headers().firstValue("X-Amz-Function-Error")).isPresent();
    assertThat(answer).contains("Kafka refuses access").contains("FORBIDDEN");
    assertThat(took).isLessThan(REFUSED_WITHIN);
    return answer;
  }

  @Test
  void aRotatedSecretIsLookedUpAnewAndDisturbsNothing() throws Exception {
    run("first");
    assertThat(secrets.lookups("rotated")).as("user and password, by both").isEqualTo(4);
    broker.user("rotated", NEW_PASSWORD);
    secrets.withSecret("rotated", secret("rotated", NEW_PASSWORD));
    send("d", "100.00");

    // The orchestrator connects for every run; the batch function stays connected for the query.
    run("first");
    assertThat(sent("first")).contains("d {\"doubled\":200.00}");
    assertThat(secrets.lookups("rotated")).isEqualTo(6);

    // Another query's connection is a new one.
    run("second");
    assertThat(sent("second")).contains("d {\"doubled\":200.00}");
    assertThat(secrets.lookups("rotated")).isEqualTo(8);
    assertNowhere(OLD_PASSWORD, NEW_PASSWORD);
  }
}
