package io.tidemill.heads;

import io.tidemill.aws.servers.AwsServers;
import io.tidemill.storage.Store;
import io.tidemill.storage.aws.AwsClients;
import io.tidemill.storage.aws.AwsSettings;
import io.tidemill.storage.dynamo.DynamoTables;
import io.tidemill.storage.s3.S3Locations;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

@Tag("aws")
class AwsSpilledHeadTest extends SpilledHeadContract {
  private static final String TABLE = "spilled-heads";
  private static final AtomicInteger STORES = new AtomicInteger();

  @TempDir private Path directory;
  private AwsClients clients;

  @Override
  Store open() {
    Map<String, String> environment = new TreeMap<>(AwsServers.shared().environment());
    environment.put("TIDEMILL_CHECKPOINT_TABLE", TABLE);
    clients =
        new AwsClients(
            AwsSettings.of(environment::get),
            Optional.of(
                StaticCredentialsProvider.create(
                    AwsBasicCredentials.create(
                        AwsServers.shared().keyId(), AwsServers.shared().secret()))),
            UnaryOperator.identity());
    String bucket = AwsServers.shared().named("spilled-heads-" + STORES.incrementAndGet());
    DynamoTables.createCheckpointTable(clients.dynamo(), TABLE);
    clients.s3().createBucket(r -> r.bucket(bucket));
    AtomicInteger ids = new AtomicInteger();
    return new S3Locations(
            clients, directory, 1 << 30, InstantSource.system(), () -> "id" + ids.incrementAndGet())
        .store("s3://" + bucket + "/checkpoint");
  }

  @AfterEach
  void closeClients() {
    clients.close();
  }
}
