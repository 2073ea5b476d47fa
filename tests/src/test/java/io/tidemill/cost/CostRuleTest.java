package io.tidemill.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.aws.servers.AwsServers;
import io.tidemill.broker.EmbeddedKafka;
import io.tidemill.storage.aws.AwsClients;
import io.tidemill.storage.dynamo.DynamoTables;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;

/** The numbers of docs/PROTOCOL.md, "Cost", against DynamoDB's and S3's interfaces. */
class CostRuleTest {
  private static final String CHECKPOINTS = "cost-checkpoints";
  private static final String STATES = "cost-states";
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

  /** Rows of a batch at least, each of another key. */
  private static final int KEYS = 10;

  /**
   * Publishing one file: whether it is done already, the copy, the manifest, and the staged file
   * deleted. Against S3 itself the first GET and PUT are one CopyObject.
   */
  private static final Map<String, Long> PUBLISHING =
      Map.of("s3:HeadObject", 1L, "s3:GetObject", 1L, "s3:PutObject", 2L, "s3:DeleteObject", 1L);

  private static final String JOB =
      """
      CREATE STREAM events (k VARCHAR NOT NULL, ts TIMESTAMP NOT NULL,
        WATERMARK FOR ts AS ts - INTERVAL 10 SECONDS)
      WITH (%s);
      CREATE SINK sums WITH (connector = 'json', path = '${BUCKET}/out');
      SET trigger = 'available-now';
      SET checkpoint = '${BUCKET}/checkpoints';
      SET state = '${STATE}';
      INSERT INTO sums SELECT window_start, k, count(*) AS n
      FROM TUMBLE(events, ts, INTERVAL 10 SECONDS) GROUP BY window_start, k;
      """;

  private static final String FROM_KAFKA =
      "connector = 'kafka', 'kafka.bootstrap.servers' = '${SERVERS}', subscribe = '${TOPIC}',"
          + " startingOffsets = 'earliest', maxOffsetsPerTrigger = '${ROWS}', format = 'json'";

  private static final String FROM_FILES =
      "connector = 'json', path = '${BUCKET}/in', maxFilesPerTrigger = '1', partitionBy = ''";

  private static EmbeddedKafka kafka;
  private static int tests;

  @TempDir Path directory;

  private final String name = "cost-" + ++tests;
  private final Map<String, String> variables = new TreeMap<>(AwsServers.shared().environment());
  private AwsClients aws;
  private int batchesSent;
  private int partitions = 1;

  @BeforeAll
  static void startBroker() {
    kafka = EmbeddedKafka.start();
  }

  @AfterAll
  static void stopBroker() {
    kafka.close();
  }

  @BeforeEach
  void prepare() throws Exception {
    variables.put("TIDEMILL_CHECKPOINT_TABLE", CHECKPOINTS);
    variables.put("TIDEMILL_STATE_TABLE", STATES);
    variables.put("BUCKET", "s3://" + name);
    variables.put("SERVERS", kafka.bootstrapServers());
    variables.put("TOPIC", name);
    aws = CountedFunctions.clients(variables);
    aws.s3().createBucket(r -> r.bucket(name));
    DynamoTables.createCheckpointTable(aws.dynamo(), CHECKPOINTS);
    DynamoTables.createStateTable(aws.dynamo(), STATES);
    Files.createDirectories(directory.resolve("jobs"));
  }

  @AfterEach
  void close() {
    aws.close();
  }

  private static String row(int batch, int key) {
    return "{\"k\":\"k%d\",\"ts\":\"%s\"}".formatted(key, START.plusSeconds(10L * batch));
  }

  /** Sends rows for so many batches, each of which ends a window of an earlier one. */
  private void send(int batches) {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new StringSerializer(),
            new StringSerializer())) {
      for (int batch = 0; batch < batches; batch++, batchesSent++) {
        for (int key = 0; key < rows(); key++) {
          var unused =
              producer.send(
                  new ProducerRecord<>(name, key % partitions, null, row(batchesSent, key)));
        }
      }
    }
  }

  /** So many that a batch has rows of each partition. */
  private int rows() {
    return Math.max(KEYS, partitions);
  }

  private CountedFunctions functions(String source, String state) throws Exception {
    Files.writeString(directory.resolve("jobs/job.sql"), JOB.formatted(source));
    variables.put("STATE", state);
    variables.put("ROWS", Integer.toString(rows()));
    return new CountedFunctions(directory, variables);
  }

  private CountedFunctions onKafka(String state) throws Exception {
    kafka.createTopic(name, partitions);
    return functions(FROM_KAFKA, state);
  }

  /**
   * What each further batch of a run adds, from runs of two and of four batches, after one that did
   * what is done only once. Few enough that nothing is tidied up in between.
   */
  private Counts batch(CountedFunctions functions) throws Exception {
    send(3);
    functions.trigger("sums");
    send(2);
    Counts two = functions.trigger("sums");
    send(4);
    Counts four = functions.trigger("sums");
    // One more than sent: what the last rows end is emitted without waiting for others.
    assertThat(two.answer().path("batches").asInt()).isEqualTo(3);
    assertThat(four.answer().path("batches").asInt()).isEqualTo(5);
    return four.minus(two).each(2);
  }

  private static void isIdle(Counts counts) {
    assertThat(counts.answer().path("outcome").asText()).isEqualTo("done");
    assertThat(counts.orchestrator()).isEqualTo(Map.of("dynamodb:GetItem", 1L));
    assertThat(counts.batch()).isEmpty();
    assertThat(counts.invocations()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"object", "dynamodb"})
  void aTriggerWithNothingNewCostsOneReadAndNoInvocation(String state) throws Exception {
    try (CountedFunctions functions = onKafka(state)) {
      send(4);
      assertThat(functions.trigger("sums").answer().path("batches").asInt()).isEqualTo(5);
      isIdle(functions.trigger("sums"));
      isIdle(functions.trigger("sums"));
    }
    try (CountedFunctions restarted = functions(FROM_KAFKA, state)) {
      isIdle(restarted.trigger("sums"));
    }
  }

  @Test
  void aBatchCostsOneHeadWriteAndItsTaskOneRecordAndTheObjects() throws Exception {
    try (CountedFunctions functions = onKafka("object")) {
      Counts batch = batch(functions);

      assertThat(batch.invocations()).isEqualTo(1);
      // The head.
      assertThat(batch.orchestrator()).containsEntry("dynamodb:PutItem", 1L);
      assertThat(Counts.minus(batch.orchestrator(), PUBLISHING))
          .isEqualTo(Map.of("dynamodb:PutItem", 1L));
      // The record; what changed of the state, and the rows for the sink.
      assertThat(batch.batch()).isEqualTo(Map.of("dynamodb:PutItem", 1L, "s3:PutObject", 2L));
    }
  }

  @ParameterizedTest
  @CsvSource({"4, 4", "50, 5.5"})
  void aBatchCostsFewWriteUnitsHoweverMuchTheHeadHasToRemember(int sourcePartitions, double most)
      throws Exception {
    partitions = sourcePartitions;
    try (CountedFunctions functions = onKafka("object")) {
      send(30);
      Counts run = functions.trigger("sums");

      assertThat(run.answer().path("batches").asInt()).isEqualTo(31);
      assertThat(functions.putUnits() / 31).isBetween(2.0, most);
    }
  }

  @Test
  void aRunCostsTwoHeadWritesMoreThanItHasBatches() throws Exception {
    try (CountedFunctions functions = onKafka("object")) {
      send(4);
      functions.trigger("sums");
      send(4);
      Counts run = functions.trigger("sums");

      assertThat(run.answer().path("batches").asInt()).isEqualTo(5);
      // The plan of the first batch, five commits, and the end.
      assertThat(run.orchestrator())
          .containsEntry("dynamodb:GetItem", 1L)
          .containsEntry("dynamodb:PutItem", 7L);
      assertThat(run.batch())
          .containsEntry("dynamodb:PutItem", 5L)
          .doesNotContainKey("s3:GetObject");
    }
  }

  @Test
  void stateInItemsCostsAWriteForEachKeyOnTop() throws Exception {
    try (CountedFunctions functions = onKafka("dynamodb")) {
      Counts batch = batch(functions);

      assertThat(batch.invocations()).isEqualTo(1);
      assertThat(Counts.minus(batch.orchestrator(), PUBLISHING))
          .isEqualTo(Map.of("dynamodb:PutItem", 1L));
      assertThat(batch.batch())
          .isEqualTo(
              Map.of(
                  "dynamodb:PutItem", 1L + KEYS, // the record, and an item for each key
                  "dynamodb:BatchGetItem", 1L, // a hundred keys at a time
                  "dynamodb:Query", 16L, // what the watermark ends, in each group of buckets
                  "dynamodb:BatchWriteItem", 1L, // what it ended before, 25 at a time
                  "s3:PutObject", 1L)); // the rows for the sink
    }
  }

  @Test
  void aBatchOfSeveralTasksCostsARecordForEachAndStillOneHeadWrite() throws Exception {
    partitions = 2;
    variables.put("TIDEMILL_WHOLE_BATCH_ROWS", "0");
    variables.put("TIDEMILL_SHARD_ROWS", "15");
    try (CountedFunctions functions = onKafka("object")) {
      Counts batch = batch(functions);

      // Two read a partition each, three keep state; what goes between them is small.
      assertThat(batch.invocations()).isEqualTo(5);
      Map<String, Long> more = Counts.minus(batch.orchestrator(), PUBLISHING);
      assertThat(more)
          .isEqualTo(
              Map.of(
                  "dynamodb:PutItem", 1L,
                  // The layout of the second stage, and a copy of each of two more files.
                  "s3:PutObject", 1L + 2,
                  "s3:GetObject", 2L,
                  "s3:DeleteObject", 2L));
      assertThat(batch.batch())
          .isEqualTo(
              Map.of(
                  "dynamodb:PutItem", 5L,
                  "s3:PutObject", 3L + 3, // state and rows of each shard
                  "s3:GetObject", 3L)); // state that another shard wrote
    }
  }

  @Test
  void aSourceOfFilesCostsListingsBesideTheRead() throws Exception {
    try (CountedFunctions functions = functions(FROM_FILES, "object")) {
      putFiles(12);
      functions.trigger("sums");
      Counts idle = functions.trigger("sums");

      assertThat(idle.orchestrator())
          .isEqualTo(Map.of("dynamodb:GetItem", 1L, "s3:ListObjectsV2", 2L));
      assertThat(idle.batch()).isEmpty();
      assertThat(idle.invocations()).isZero();
    }
  }

  private void putFiles(int files) {
    for (int file = 0; file < files; file++, batchesSent++) {
      StringBuilder rows = new StringBuilder();
      for (int key = 0; key < KEYS; key++) {
        rows.append(row(batchesSent, key)).append('\n');
      }
      String key = "in/" + batchesSent + ".json";
      aws.s3().putObject(r -> r.bucket(name).key(key), RequestBody.fromString(rows.toString()));
    }
  }
}
