package io.tidemill.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.aws.servers.AwsServers;
import io.tidemill.host.Fate;
import io.tidemill.host.TidemillFunctions;
import io.tidemill.infra.Call;
import io.tidemill.infra.DeployedTables;
import io.tidemill.infra.Permissions;
import io.tidemill.storage.aws.AwsClients;
import io.tidemill.storage.aws.AwsSettings;
import io.tidemill.storage.dynamo.DynamoTables;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;

/**
 * What the deployed functions ask of AWS, against what the templates let them: queries that use
 * every feature that calls AWS run through the packages, and each call is recorded. S3Proxy cannot
 * copy under a condition, so a CopyObject appears as the GetObject and the PutObject whose rights
 * it needs.
 */
class PermissionsIT {
  private static final Path TEMPLATE = Path.of("..", "sam-template.yaml");
  private static final String OWN = "permissions-own";
  private static final String SOURCE = "permissions-source";
  private static final String SINK = "permissions-sink";
  private static final String CHECKPOINTS = "permissions-checkpoints";
  private static final String STATES = "permissions-states";
  private static final Instant START = Instant.parse("2026-03-01T00:10:00Z");

  private static final String ORDERS =
      """
      CREATE STREAM orders (customer VARCHAR NOT NULL, amount BIGINT NOT NULL,
        ts TIMESTAMP NOT NULL, WATERMARK FOR ts AS ts - INTERVAL 1 MINUTE)
      WITH (connector = 'json', path = '${ssm:/tidemill/source}', maxFilesPerTrigger = '%s');
      SET trigger = 'available-now';
      SET checkpoint = '${CHECKPOINTS}';
      """;

  /** Two queries: state in objects behind a shuffle, and a join with a static table. */
  private static final String TWO =
      ORDERS.formatted(4)
          + """
      CREATE TABLE customers WITH (connector = 'parquet', path = 's3://permissions-source/names');
      CREATE SINK revenue WITH (connector = 'parquet', path = '${OUT}/revenue');
      CREATE SINK named WITH (connector = 'json', path = 's3://permissions-sink/named');
      INSERT INTO revenue SELECT window_start, customer, sum(amount) AS amount
      FROM TUMBLE(orders, ts, INTERVAL 1 HOUR) GROUP BY window_start, customer;
      INSERT INTO named SELECT o.customer, o.amount, c.name
      FROM orders o JOIN customers c ON o.customer = c.id;
      """;

  /** State in items, with rows too large for one. */
  private static final String ITEMS =
      ORDERS.formatted(1)
          + """
      CREATE SINK largest WITH (connector = 'json', path = '${OUT}/${secret:tidemill/places#largest}');
      SET state = 'dynamodb';
      INSERT INTO largest SELECT window_start, customer,
        length(max(repeat(customer, 110000) || amount)) AS size
      FROM TUMBLE(orders, ts, INTERVAL 1 HOUR) GROUP BY window_start, customer;
      """;

  /** Reads what another query has published. */
  private static final String OUTPUT =
      """
      CREATE STREAM published (window_start TIMESTAMP, customer VARCHAR, amount BIGINT)
      WITH (connector = 'parquet', path = '${OUT}/revenue');
      CREATE SINK copies WITH (connector = 'json', path = '${OUT}/copies');
      SET trigger = 'available-now';
      SET checkpoint = '${CHECKPOINTS}';
      INSERT INTO copies SELECT * FROM published;
      """;

  /** The stack's parameters that the run takes. */
  private static final Map<String, String> PARAMETERS =
      Map.of(
          "Jobs",
          "bucket",
          "SourceBucket",
          SOURCE,
          "SinkBucket",
          SINK,
          "ParameterPrefix",
          "/tidemill",
          "SecretArns",
          RecordedStack.secretArn("tidemill/places"));

  private static final RecordedStack STACK =
      new RecordedStack(
          Map.of(
              OWN,
              "Bucket",
              CHECKPOINTS,
              "CheckpointTable",
              STATES,
              "StateTable",
              TidemillFunctions.BATCH,
              "tidemill-batch-arm64",
              TidemillFunctions.ORCHESTRATOR,
              "tidemill-orchestrator-arm64"));

  @TempDir Path directory;

  private final Map<String, String> variables = new TreeMap<>(AwsServers.shared().environment());
  private final AwsClients aws =
      new AwsClients(
          AwsSettings.of(variables::get),
          Optional.of(
              StaticCredentialsProvider.create(
                  AwsBasicCredentials.create(
                      AwsServers.shared().keyId(), AwsServers.shared().secret()))),
          UnaryOperator.identity());

  @AfterEach
  void close() {
    aws.close();
  }

  private void put(String bucket, String key, String content) {
    aws.s3().putObject(r -> r.bucket(bucket).key(key), RequestBody.fromString(content));
  }

  private void prepare() throws Exception {
    for (String bucket : List.of(OWN, SOURCE, SINK)) {
      aws.s3().createBucket(r -> r.bucket(bucket));
    }
    DynamoTables.createCheckpointTable(aws.dynamo(), CHECKPOINTS);
    DynamoTables.createStateTable(aws.dynamo(), STATES);
    put(OWN, "jobs/two.sql", TWO);
    put(OWN, "jobs/items.sql", ITEMS);
    put(OWN, "jobs/output.sql", OUTPUT);
    // Three files of one hour, then one every two hours.
    for (int file = 0; file < 6; file++) {
      Instant time = START.plusSeconds(file < 3 ? file : 7_200L * (file - 2));
      StringBuilder rows = new StringBuilder();
      for (int row = 0; row < 12; row++) {
        rows.append(
            "{\"customer\":\"c%d\",\"amount\":%d,\"ts\":\"%s\"}\n"
                .formatted(row % 3, file + row, time));
      }
      put(SOURCE, "in/" + file + ".json", rows.toString());
    }
    Path names = directory.resolve("names.parquet");
    try (var db = DriverManager.getConnection("jdbc:duckdb:");
        var statement = db.createStatement()) {
      statement.execute(
          "COPY (SELECT 'c' || i AS id, 'name ' || i AS name FROM range(3) t(i)) TO '"
              + names
              + "' (FORMAT parquet)");
    }
    aws.s3().putObject(r -> r.bucket(SOURCE).key("names/all.parquet"), names);
  }

  private Deployment deploy(Path recorded, SecretServer secrets) {
    variables.put(RecordedCalls.FILE, recorded.toString());
    variables.put("TIDEMILL_CHECKPOINT_TABLE", CHECKPOINTS);
    variables.put("TIDEMILL_STATE_TABLE", STATES);
    variables.put("TIDEMILL_STATE_TTL_DAYS", "30");
    variables.put("TIDEMILL_WHOLE_BATCH_ROWS", "0");
    variables.put("TIDEMILL_SHARD_ROWS", "10");
    variables.put("TIDEMILL_INLINE_SHUFFLE_BYTES", "0");
    variables.put("OUT", "s3://" + OWN + "/out");
    variables.put("CHECKPOINTS", "s3://" + OWN + "/checkpoints");
    variables.put("AWS_ENDPOINT_URL_SECRETS_MANAGER", secrets.endpoint());
    variables.put("AWS_ENDPOINT_URL_SSM", secrets.endpoint());
    AtomicInteger tasks = new AtomicInteger();
    // The reply of the second task is lost, so it is tried again and finds its record.
    Fate replyLost = new Fate(false, false, true, false, Optional.empty(), Optional.empty());
    return new Deployment(
        directory.resolve("host"),
        RecordingPackage.of(Deployment.zip(), directory),
        "s3://" + OWN + "/jobs/",
        function ->
            function.equals(TidemillFunctions.BATCH) && tasks.incrementAndGet() == 2
                ? replyLost
                : Fate.GOOD,
        Duration.ofMinutes(2),
        false,
        variables);
  }

  private static void run(Deployment deployment, String query) throws Exception {
    deployment.finish(query);
    assertThat(deployment.ask("status", query).path("batch").isNumber()).as(query).isTrue();
  }

  private Path record() throws Exception {
    Path recorded = directory.resolve("calls.txt");
    prepare();
    try (SecretServer secrets =
            new SecretServer()
                .withSecret("tidemill/places", "{\"largest\":\"largest\"}")
                .withParameter("/tidemill/source", "s3://" + SOURCE + "/in");
        Deployment deployment = deploy(recorded, secrets)) {
      // Both queries of the job, in invocations of their own.
      deployment.ask("{\"action\":\"trigger\",\"job\":\"two.sql\"}");
      run(deployment, "largest");
      run(deployment, "revenue");
      run(deployment, "named");
      run(deployment, "copies");
      assertThat(deployment.ask("plan", "largest").path("compatible").asBoolean()).isTrue();
      deployment.ask("stop", "largest");
      deployment.ask("start", "largest");
    }
    return recorded;
  }

  /**
   * Rights for what no run does on purpose, each with its reason. What AWS itself needs, and Kafka
   * brokers, is marked in the templates and not looked at here.
   */
  private static final Map<String, String> EXPLAINED =
      Map.of(
          "SinkObjects: s3:GetObject on arn:aws:s3:::permissions-sink/*",
          "after a PUT whose reply was lost, a task looks whether its object is there",
          "SinkListing: s3:ListBucket on arn:aws:s3:::permissions-sink",
          "the same look at an object that is not there: 403 without it",
          "LargeItems: s3:DeleteObject on arn:aws:s3:::Bucket/out/*/items/*",
          "of a checkpoint below out/; the run has its checkpoints in the other place");

  @Test
  void eachRoleMayDoWhatItsFunctionDoesAndNothingElse() throws Exception {
    Path recorded = record();
    Permissions stack = Permissions.of(TEMPLATE, PARAMETERS);
    List<Call> batch = STACK.calls(recorded, TidemillFunctions.BATCH);
    List<Call> orchestrator = STACK.calls(recorded, TidemillFunctions.ORCHESTRATOR);

    assertThat(stack.missing("BatchRole", batch)).isEmpty();
    assertThat(stack.missing("OrchestratorRole", orchestrator)).isEmpty();
    assertThat(stack.unused("BatchRole", batch)).isSubsetOf(EXPLAINED.keySet());
    assertThat(stack.unused("OrchestratorRole", orchestrator)).isEmpty();
    assertThat(DeployedTables.keys(TEMPLATE, PARAMETERS))
        .isEqualTo(Map.of("CheckpointTable", keys(CHECKPOINTS), "StateTable", keys(STATES)));
  }

  /** How items of a table of the run are found. */
  private List<String> keys(String table) {
    return aws.dynamo().describeTable(r -> r.tableName(table)).table().keySchema().stream()
        .map(part -> part.attributeName() + " " + part.keyTypeAsString())
        .toList();
  }
}
