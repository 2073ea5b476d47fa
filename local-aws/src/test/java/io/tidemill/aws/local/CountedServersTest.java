package io.tidemill.aws.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.aws.AwsCalls;
import io.tidemill.storage.aws.AwsClients;
import io.tidemill.storage.aws.AwsSettings;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** The meters with real clients before them and real servers behind. */
class CountedServersTest {
  private static final String TABLE = CountedServers.CHECKPOINT_TABLE;

  @TempDir Path directory;

  private final AtomicReference<Usage> counted = new AtomicReference<>(Usage.NONE);

  @Test
  void clientsSeeNoDifferenceAndTheCountsAreTheirs() {
    try (CountedServers servers =
            CountedServers.start(
                directory, (trace, charge) -> counted.updateAndGet(u -> u.plus(Usage.of(charge))));
        AwsClients clients = clients(servers)) {
      assertThat(counted.get()).as("while setting up").isEqualTo(Usage.NONE);
      useObjects(clients.s3());
      useItems(clients.dynamo());

      AwsCalls calls = clients.calls();
      Usage usage = counted.get();
      assertThat(usage.s3Puts())
          .isEqualTo(calls.of("s3:PutObject") + calls.of("s3:ListObjectsV2"))
          .isEqualTo(5);
      assertThat(usage.s3Gets())
          .isEqualTo(calls.of("s3:GetObject") + calls.of("s3:HeadObject"))
          .isEqualTo(4);
      assertThat(usage.dynamoReads()).isEqualTo(calls.of("dynamodb:GetItem")).isEqualTo(2);
      assertThat(usage.readUnits()).isEqualTo(units(calls, "dynamodb:GetItem")).isPositive();
      assertThat(usage.dynamoWrites()).isEqualTo(calls.of("dynamodb:PutItem")).isEqualTo(2);
      // The client cannot know what a refused write costs.
      assertThat(usage.writeUnits() - units(calls, "dynamodb:PutItem")).isEqualTo(3);
    }
  }

  private static double units(AwsCalls calls, String operation) {
    return calls.counts().get(operation).units();
  }

  private static AwsClients clients(CountedServers servers) {
    Map<String, String> environment = servers.environment();
    return new AwsClients(
        AwsSettings.of(environment::get),
        Optional.of(
            StaticCredentialsProvider.create(
                AwsBasicCredentials.create(
                    environment.get("AWS_ACCESS_KEY_ID"),
                    environment.get("AWS_SECRET_ACCESS_KEY")))),
        UnaryOperator.identity());
  }

  private static void useObjects(S3Client s3) {
    byte[] content = new byte[300_000];
    new Random(7).nextBytes(content);
    s3.putObject(
        r -> r.bucket(LocalAws.BUCKET).key("a/ä b+c").ifNoneMatch("*"),
        RequestBody.fromBytes(content));
    assertThatThrownBy(
            () ->
                s3.putObject(
                    r -> r.bucket(LocalAws.BUCKET).key("a/ä b+c").ifNoneMatch("*"),
                    RequestBody.fromBytes(content)))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(412));
    s3.putObject(r -> r.bucket(LocalAws.BUCKET).key("empty"), RequestBody.empty());
    assertThat(s3.getObjectAsBytes(r -> r.bucket(LocalAws.BUCKET).key("a/ä b+c")).asByteArray())
        .isEqualTo(content);
    assertThat(
            s3.getObjectAsBytes(r -> r.bucket(LocalAws.BUCKET).key("a/ä b+c").range("bytes=10-19"))
                .asByteArray())
        .hasSize(10);
    assertThat(s3.getObjectAsBytes(r -> r.bucket(LocalAws.BUCKET).key("empty")).asByteArray())
        .isEmpty();
    assertThat(s3.headObject(r -> r.bucket(LocalAws.BUCKET).key("a/ä b+c")).contentLength())
        .isEqualTo(content.length);
    assertThat(s3.listObjectsV2(r -> r.bucket(LocalAws.BUCKET).prefix("a/")).contents()).hasSize(1);
    s3.deleteObject(r -> r.bucket(LocalAws.BUCKET).key("a/ä b+c"));
    assertThat(s3.listObjectsV2(r -> r.bucket(LocalAws.BUCKET)).contents()).hasSize(1);
  }

  private static void useItems(DynamoDbClient dynamo) {
    Map<String, AttributeValue> item =
        Map.of("id", AttributeValue.fromS("i"), "text", AttributeValue.fromS("x".repeat(2_500)));
    dynamo.putItem(r -> r.tableName(TABLE).item(item));
    assertThatThrownBy(
            () ->
                dynamo.putItem(
                    r ->
                        r.tableName(TABLE)
                            .item(item)
                            .conditionExpression("attribute_not_exists(id)")))
        .isInstanceOf(ConditionalCheckFailedException.class);
    for (boolean consistent : new boolean[] {true, false}) {
      assertThat(
              dynamo
                  .getItem(
                      r ->
                          r.tableName(TABLE)
                              .key(Map.of("id", AttributeValue.fromS("i")))
                              .consistentRead(consistent))
                  .item())
          .isEqualTo(item);
    }
  }

  @Test
  void whoeverHasNoNodeIsToldWhatToDo() {
    assertThatThrownBy(() -> CountedServers.require("no-such-node"))
        .isInstanceOf(TidemillException.class)
        .hasMessageContaining("Install Node.js");
  }
}
