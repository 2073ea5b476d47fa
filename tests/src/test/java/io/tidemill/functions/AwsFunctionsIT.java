package io.tidemill.functions;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.aws.servers.AwsServers;
import io.tidemill.host.Faults;
import io.tidemill.storage.aws.AwsClients;
import io.tidemill.storage.aws.AwsSettings;
import io.tidemill.storage.dynamo.DynamoTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.services.s3.model.S3Object;

/** The functions with jobs, rows, state and results on S3 and heads and records in DynamoDB. */
@Tag("aws")
class AwsFunctionsIT {
  private static final String BUCKET = AwsServers.shared().named("functions");
  private static final String TABLE = AwsServers.shared().named("functions-checkpoints");

  @TempDir Path directory;

  private final AwsClients clients =
      new AwsClients(
          AwsSettings.of(AwsServers.shared().environment()::get),
          Optional.of(
              StaticCredentialsProvider.create(
                  AwsBasicCredentials.create(
                      AwsServers.shared().keyId(), AwsServers.shared().secret()))),
          UnaryOperator.identity());

  @AfterEach
  void close() {
    clients.close();
  }

  @Test
  void aJobOnS3RunsThroughTheFunctions() throws Exception {
    clients.s3().createBucket(r -> r.bucket(BUCKET));
    DynamoTables.createCheckpointTable(clients.dynamo(), TABLE);
    Orders orders = new Orders(directory);
    orders.add(6, 300);
    upload("in");
    upload("jobs");
    Map<String, String> variables = new TreeMap<>(AwsServers.shared().environment());
    variables.put("DIR", "s3://" + BUCKET);
    variables.put("TIDEMILL_CHECKPOINT_TABLE", TABLE);
    variables.put("TIDEMILL_WHOLE_BATCH_ROWS", "0");
    variables.put("TIDEMILL_SHARD_ROWS", "200");
    try (Deployment deployment =
        new Deployment(
            directory.resolve("host"),
            "s3://" + BUCKET + "/jobs/",
            Faults.NONE,
            Duration.ofMinutes(5),
            false,
            variables)) {
      JsonNode answer = deployment.ask("trigger", Orders.QUERY);
      assertThat(answer.path("outcome").asText()).isEqualTo("done");
      assertThat(answer.path("inputRows").asLong()).isEqualTo(1_800);
    }
    download("out");
    assertThat(orders.result()).isNotEmpty().isEqualTo(orders.expected());
  }

  private void upload(String folder) throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve(folder))) {
      for (Path file : files.toList()) {
        clients.s3().putObject(r -> r.bucket(BUCKET).key(folder + "/" + file.getFileName()), file);
      }
    }
  }

  private void download(String folder) throws IOException {
    Files.createDirectories(directory.resolve(folder));
    int count = 0;
    for (S3Object object :
        clients.s3().listObjectsV2(r -> r.bucket(BUCKET).prefix(folder + "/")).contents()) {
      if (object.key().endsWith(".parquet") && !object.key().contains("/_")) {
        Path target = directory.resolve(folder).resolve(count++ + ".parquet");
        clients.s3().getObject(r -> r.bucket(BUCKET).key(object.key()), target);
      }
    }
  }
}
