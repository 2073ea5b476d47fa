package io.tidemill.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.aws.servers.AwsServers;
import io.tidemill.connectors.Connectors;
import io.tidemill.connectors.memory.MemoryStreams;
import io.tidemill.connectors.memory.MemoryTables;
import io.tidemill.function.FunctionSettings;
import io.tidemill.local.LocalJob;
import io.tidemill.local.LocalQuery;
import io.tidemill.local.StandardConnectors;
import io.tidemill.local.StandardLocations;
import io.tidemill.orchestrator.RunSpec;
import io.tidemill.protocol.Ids;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.job.JobText;
import io.tidemill.query.job.Variables;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.storage.Locations;
import io.tidemill.storage.Store;
import io.tidemill.storage.aws.AwsCalls;
import io.tidemill.storage.aws.AwsClients;
import io.tidemill.storage.aws.AwsSettings;
import io.tidemill.storage.dynamo.DynamoTables;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Whole jobs whose sources, sinks and checkpoints are in S3 and DynamoDB. */
@Tag("aws")
class AwsJobTest {
  private static final AtomicLong TESTS = new AtomicLong();
  private static final String TABLE = AwsServers.shared().named("job-checkpoints");

  private static final String STATE_TABLE = AwsServers.shared().named("job-states");

  /** Counts per window and key, with state as the variable says. */
  private static final String COUNTS =
      """
      CREATE STREAM events (k VARCHAR NOT NULL, ts TIMESTAMP NOT NULL,
        WATERMARK FOR ts AS ts - INTERVAL 10 SECONDS)
      WITH (connector = 'json', path = '${BUCKET}/in/*.json', maxFilesPerTrigger = '1');
      CREATE SINK sums WITH (connector = 'json', path = '${BUCKET}/out');
      SET trigger = 'available-now';
      SET state = '${STATE}';
      INSERT INTO sums SELECT window_start, k, count(*) AS n
      FROM TUMBLE(events, ts, INTERVAL 10 SECONDS) GROUP BY window_start, k;
      """;

  private static final String JOB =
      """
      CREATE STREAM events (k VARCHAR NOT NULL, n BIGINT NOT NULL)
      WITH (connector = 'json', path = '${BUCKET}/in/*.json', maxFilesPerTrigger = '1');
      CREATE TABLE names WITH (connector = 'parquet', path = '${BUCKET}/names');
      CREATE SINK sums WITH (connector = 'json', path = '${BUCKET}/out');
      SET trigger = 'available-now';
      INSERT INTO sums SELECT e.k, e.n, m.name FROM events e JOIN names m ON e.k = m.k;
      """;

  @TempDir private Path directory;

  private final String bucket = AwsServers.shared().named("job-" + TESTS.incrementAndGet());
  private final AtomicLong ids = new AtomicLong();
  private final Ids fresh = () -> bucket + "-id" + ids.incrementAndGet();
  private final AwsClients clients = clients(false);

  private static AwsClients clients(boolean table) {
    Map<String, String> environment = new HashMap<>(AwsServers.shared().environment());
    if (table) {
      environment.put("TIDEMILL_CHECKPOINT_TABLE", TABLE);
      environment.put("TIDEMILL_STATE_TABLE", STATE_TABLE);
    }
    return new AwsClients(
        AwsSettings.of(environment::get),
        Optional.of(
            StaticCredentialsProvider.create(
                AwsBasicCredentials.create(
                    AwsServers.shared().keyId(), AwsServers.shared().secret()))),
        UnaryOperator.identity());
  }

  @AfterEach
  void close() {
    clients.close();
  }

  private void put(String key, String content) {
    clients.s3().putObject(r -> r.bucket(bucket).key(key), RequestBody.fromString(content));
  }

  private List<String> keys(String prefix) {
    return clients.s3().listObjectsV2(r -> r.bucket(bucket).prefix(prefix)).contents().stream()
        .map(S3Object::key)
        .toList();
  }

  /** The lines of all published files. */
  private List<String> output() {
    List<String> lines = new ArrayList<>();
    for (String key : keys("out/")) {
      if (key.endsWith(".json") && !key.contains("/_")) {
        String content =
            clients.s3().getObjectAsBytes(r -> r.bucket(bucket).key(key)).asUtf8String();
        content.lines().forEach(lines::add);
      }
    }
    return lines;
  }

  private void prepare() throws Exception {
    clients.s3().createBucket(r -> r.bucket(bucket));
    Path parquet = directory.resolve("names.parquet");
    try (var db = java.sql.DriverManager.getConnection("jdbc:duckdb:");
        var statement = db.createStatement()) {
      statement.execute(
          "COPY (SELECT * FROM (VALUES ('a', 'anna'), ('b', 'bert')) t(k, name)) TO '"
              + parquet
              + "' (FORMAT parquet)");
    }
    clients.s3().putObject(r -> r.bucket(bucket).key("names/all.parquet"), parquet);
    put("in/1.json", "{\"k\":\"a\",\"n\":1}\n{\"k\":\"b\",\"n\":2}\n");
    put("in/2.json", "{\"k\":\"a\",\"n\":3}\n");
  }

  /** Runs the job until nothing is left. */
  private Map<String, AwsCalls.Count> run(boolean table) throws Exception {
    return run(table, JOB, "object");
  }

  private Map<String, AwsCalls.Count> run(boolean table, String job, String state)
      throws Exception {
    AwsClients own = clients(table);
    try (StandardLocations places =
        StandardLocations.of(own, directory.resolve("copies"), InstantSource.system(), fresh)) {
      Locations locations = places.locations();
      Connectors connectors =
          StandardConnectors.of(
              locations,
              InstantSource.system(),
              System.out,
              new MemoryStreams(),
              new MemoryTables());
      Variables variables =
          new Variables(Map.of("BUCKET", "s3://" + bucket, "STATE", state), name -> null);
      QueryPlan plan = LocalJob.compile(new JobText("job.sql", job), variables, connectors).get(0);
      LocalQuery.Machine machine =
          new LocalQuery.Machine(
              connectors,
              1,
              FunctionSettings.STANDARD,
              directory.resolve("scratch"),
              InstantSource.system(),
              fresh);
      String checkpoint = "s3://" + bucket + "/checkpoints/sums";
      try (LocalQuery query =
          LocalQuery.start(RunSpec.of(plan), locations.store(checkpoint), machine)) {
        query.run().awaitTermination();
      }
      return own.calls().counts();
    }
  }

  private static final String[] ALL = {
    "{\"k\":\"a\",\"n\":1,\"name\":\"anna\"}",
    "{\"k\":\"b\",\"n\":2,\"name\":\"bert\"}",
    "{\"k\":\"a\",\"n\":3,\"name\":\"anna\"}"
  };

  @Test
  void aJobRunsWithEverythingInS3() throws Exception {
    prepare();
    run(false);
    assertThat(output()).containsExactlyInAnyOrder(ALL);
    assertThat(keys("checkpoints/sums/head/")).isNotEmpty();
    assertThat(keys("checkpoints/sums/tasks/")).hasSize(2);

    put("in/3.json", "{\"k\":\"b\",\"n\":4}\n");
    run(false);
    assertThat(output())
        .hasSize(4)
        .contains(ALL)
        .contains("{\"k\":\"b\",\"n\":4,\"name\":\"bert\"}");
  }

  @Test
  void headAndTaskRecordsAreItemsIfThereIsATable() throws Exception {
    DynamoTables.createCheckpointTable(clients.dynamo(), TABLE);
    prepare();
    Map<String, AwsCalls.Count> calls = run(true);
    assertThat(output()).containsExactlyInAnyOrder(ALL);
    assertThat(keys("checkpoints/sums/head")).containsExactly("checkpoints/sums/head/table.json");
    assertThat(keys("checkpoints/sums/tasks")).isEmpty();
    assertThat(calls.get("dynamodb:GetItem").calls()).isEqualTo(1);

    put("in/3.json", "{\"k\":\"b\",\"n\":4}\n");
    run(true);
    assertThat(output()).hasSize(4);

    Map<String, AwsCalls.Count> idle = run(true);
    assertThat(output()).hasSize(4);
    assertThat(idle.get("dynamodb:GetItem").calls()).isEqualTo(1);
    assertThat(idle).doesNotContainKey("dynamodb:PutItem");
  }

  private List<String> counts(String state) throws Exception {
    DynamoTables.createCheckpointTable(clients.dynamo(), TABLE);
    DynamoTables.createStateTable(clients.dynamo(), STATE_TABLE);
    clients.s3().createBucket(r -> r.bucket(bucket));
    Random random = new Random(5);
    for (int file = 0; file < 5; file++) {
      StringBuilder lines = new StringBuilder();
      for (int i = 0; i < 40; i++) {
        int second = file * 10 + random.nextInt(20);
        lines.append(
            String.format(
                "{\"k\":\"k%d\",\"ts\":\"2026-03-01T00:%02d:%02dZ\"}\n",
                random.nextInt(6), second / 60, second % 60));
      }
      put("in/" + file + ".json", lines.toString());
      // A run per file: nothing is kept in a process.
      run(true, COUNTS, state);
    }
    return output();
  }

  @Test
  void stateInItemsGivesWhatStateInObjectsGives() throws Exception {
    List<String> objects = counts("object");
    assertThat(objects).hasSizeGreaterThan(15);
    assertThat(keys("checkpoints/sums/state/")).isNotEmpty();
    clients.s3().listObjectsV2(r -> r.bucket(bucket)).contents().stream()
        .map(S3Object::key)
        .forEach(key -> clients.s3().deleteObject(r -> r.bucket(bucket).key(key)));
    clients.s3().deleteBucket(r -> r.bucket(bucket));
    clients.dynamo().deleteTable(r -> r.tableName(TABLE));
    clients.dynamo().waiter().waitUntilTableNotExists(r -> r.tableName(TABLE));

    List<String> items = counts("dynamodb");
    assertThat(items).containsExactlyInAnyOrderElementsOf(objects);
    assertThat(keys("checkpoints/sums/state/")).isEmpty();
  }

  @Test
  void aCheckpointIsNeverOpenedInAnotherForm() throws Exception {
    DynamoTables.createCheckpointTable(clients.dynamo(), TABLE);
    prepare();
    run(true);
    assertThatThrownBy(() -> run(false)).hasMessageContaining("none is named");

    clients.s3().deleteObject(r -> r.bucket(bucket).key("checkpoints/sums/head/table.json"));
    clients
        .s3()
        .putObject(
            r -> r.bucket(bucket).key("checkpoints/other/head/00000000000000000001"),
            RequestBody.fromString("{}"));
    try (StandardLocations places =
            StandardLocations.of(clients(true), directory, InstantSource.system(), fresh);
        Store other = places.locations().store("s3://" + bucket + "/checkpoints/other")) {
      assertThatThrownBy(() -> other.register().read("head"))
          .isInstanceOfSatisfying(
              TidemillException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.CHECKPOINT_MISMATCH));
    }
  }

  @Test
  void anUnknownKindOfLocationIsNamedWithTheNearest() {
    try (StandardLocations places =
        StandardLocations.of(clients(false), directory, InstantSource.system(), fresh)) {
      for (String location : List.of("s4://bucket/x", "S33://bucket/x")) {
        assertThatThrownBy(() -> places.locations().blob(location))
            .isInstanceOfSatisfying(
                TidemillException.class,
                e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_OPTION))
            .hasMessageContaining("Did you mean 's3'?");
      }
      Stream.of("s3://", "s3://B/x", "s3:///x")
          .forEach(
              location ->
                  assertThatThrownBy(() -> places.locations().blob(location))
                      .as(location)
                      .hasMessageContaining("s3://BUCKET/PREFIX"));
    }
  }
}
