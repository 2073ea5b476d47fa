package io.tidemill.aws.local;

import io.tidemill.aws.servers.AwsServers;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.aws.AwsClients;
import io.tidemill.storage.aws.AwsSettings;
import io.tidemill.storage.dynamo.DynamoTables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.services.s3.model.BucketAlreadyOwnedByYouException;

/** The stand-ins for S3 and DynamoDB, each behind a meter. */
final class CountedServers implements AutoCloseable {
  static final String CHECKPOINT_TABLE = "tidemill-checkpoint";
  static final String STATE_TABLE = "tidemill-state";

  private final AwsServers servers;
  private final Meter s3;
  private final Meter dynamo;

  private CountedServers(AwsServers servers, BiConsumer<String, Charge> charges) {
    this.servers = servers;
    this.s3 = new Meter(servers.s3(), Tariff.S3, charges);
    this.dynamo = new Meter(servers.dynamo(), Tariff.DYNAMO, charges);
  }

  /**
   * Starts them, with the bucket and the tables of a stack.
   *
   * @param directory where they keep their data
   * @param charges told of every request of a function
   */
  static CountedServers start(Path directory, BiConsumer<String, Charge> charges) {
    require("node");
    CountedServers started;
    try {
      started = new CountedServers(AwsServers.start(Optional.of(directory)), charges);
    } catch (IllegalStateException e) {
      throw new TidemillException(
              ErrorCode.STORAGE_UNAVAILABLE,
              "The stand-ins for S3 and DynamoDB could not be started.",
              e)
          .with("reason", e.getMessage())
          .with("directory", directory);
    }
    try {
      started.setUp();
      return started;
    } catch (RuntimeException e) {
      started.close();
      throw e;
    }
  }

  /**
   * Says what to do if there is no such command.
   *
   * @param node the command that runs dynalite
   */
  static void require(String node) {
    try {
      new ProcessBuilder(node, "--version")
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start()
          .destroy();
    } catch (IOException e) {
      throw new TidemillException(
          ErrorCode.STORAGE_UNAVAILABLE,
          "There is no 'node', which runs dynalite, the stand-in for DynamoDB. Install Node.js 18"
              + " or later with npm, and put it on the PATH.",
          e);
    }
  }

  private void setUp() {
    try (AwsClients clients = clients()) {
      createBucket(clients);
      DynamoTables.createCheckpointTable(clients.dynamo(), CHECKPOINT_TABLE);
      DynamoTables.createStateTable(clients.dynamo(), STATE_TABLE);
    }
  }

  private static void createBucket(AwsClients clients) {
    try {
      clients.s3().createBucket(r -> r.bucket(LocalAws.BUCKET));
    } catch (BucketAlreadyOwnedByYouException e) {
      return; // It is kept from an earlier run.
    }
  }

  /** Clients whose requests are not counted; the caller closes them. */
  AwsClients clients() {
    Map<String, String> environment = new TreeMap<>(servers.environment());
    environment.putAll(tables());
    return new AwsClients(
        AwsSettings.of(environment::get),
        Optional.of(
            StaticCredentialsProvider.create(
                AwsBasicCredentials.create(servers.keyId(), servers.secret()))),
        UnaryOperator.identity());
  }

  /** Environment variables with which clients are counted. */
  Map<String, String> environment() {
    Map<String, String> environment = new TreeMap<>(servers.environment());
    environment.put("AWS_ENDPOINT_URL_S3", s3.endpoint().toString());
    environment.put("AWS_ENDPOINT_URL_DYNAMODB", dynamo.endpoint().toString());
    environment.putAll(tables());
    return environment;
  }

  private static Map<String, String> tables() {
    return Map.of(
        "TIDEMILL_CHECKPOINT_TABLE", CHECKPOINT_TABLE, "TIDEMILL_STATE_TABLE", STATE_TABLE);
  }

  @Override
  public void close() {
    s3.close();
    dynamo.close();
    servers.close();
  }
}
