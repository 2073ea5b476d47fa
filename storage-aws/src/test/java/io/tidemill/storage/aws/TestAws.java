package io.tidemill.storage.aws;

import io.tidemill.aws.servers.AwsServers;
import io.tidemill.storage.CountedIds;
import io.tidemill.storage.dynamo.DynamoItems;
import io.tidemill.storage.dynamo.DynamoRegister;
import io.tidemill.storage.dynamo.DynamoTables;
import io.tidemill.storage.s3.LocalCopies;
import io.tidemill.storage.s3.S3Blob;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;

/** Clients of the local servers, and stores on them that no other test sees. */
public final class TestAws implements AutoCloseable {
  private static final AtomicLong STORES = new AtomicLong();
  public static final String TABLE = "tidemill-checkpoint";
  public static final String STATE_TABLE = "tidemill-state";

  /**
   * Names to be listed. S3Proxy lists in the order of UTF-16, S3 in that of UTF-8: no name where
   * these differ.
   */
  public static final List<String> BLOB_NAMES =
      List.of("a", "a-", "a.b", "a0", "b", "b=ä", "b=\uD83C\uDF0A", "Z");

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final AwsClients clients;
  private final Retries retries;
  private final String store = AwsServers.shared().named("store-" + STORES.incrementAndGet());
  private final CountedIds handles = new CountedIds(store);

  public TestAws() {
    this(UnaryOperator.identity());
  }

  /**
   * @param http what requests go through, made from what they would go through
   */
  public TestAws(UnaryOperator<SdkHttpClient> http) {
    Map<String, String> environment = AwsServers.shared().environment();
    StaticCredentialsProvider credentials =
        StaticCredentialsProvider.create(
            AwsBasicCredentials.create(AwsServers.shared().keyId(), AwsServers.shared().secret()));
    AwsSettings settings = AwsSettings.of(environment::get);
    try (AwsClients plain = new AwsClients(settings, Optional.of(credentials), TestAws::patient)) {
      DynamoTables.createCheckpointTable(plain.dynamo(), TABLE);
      DynamoTables.createStateTable(plain.dynamo(), STATE_TABLE);
      plain.s3().createBucket(r -> r.bucket(store));
    }
    this.clients =
        new AwsClients(settings, Optional.of(credentials), made -> http.apply(patient(made)));
    this.retries = new Retries(new Random(1), time -> {}, clients.calls());
  }

  /**
   * A server on a busy machine may keep silent for longer than a lease allows clients to wait, and
   * a request that is sent again is one too many where requests are counted.
   */
  private static SdkHttpClient patient(SdkHttpClient made) {
    made.close();
    return UrlConnectionHttpClient.builder()
        .connectionTimeout(PATIENCE)
        .socketTimeout(PATIENCE)
        .build();
  }

  public AwsClients clients() {
    return clients;
  }

  public Retries retries() {
    return retries;
  }

  public String bucket() {
    return store;
  }

  /** Another handle on the same objects. */
  public S3Blob blob(Path directory) {
    String handle = handles.next();
    LocalCopies copies =
        new LocalCopies(directory.resolve(handle), 1 << 30, InstantSource.system());
    return new S3Blob(
        clients.s3(),
        store,
        "some/prefix/",
        copies,
        retries,
        new CountedIds(handle),
        S3Blob.Copying.BY_READING);
  }

  /** Another handle on the same items. */
  public DynamoRegister register() {
    return new DynamoRegister(clients.dynamo(), TABLE, "s3://" + store + "/query", retries);
  }

  /** Items of state; closed by the caller. */
  public DynamoItems items() {
    return new DynamoItems(
        clients.dynamo(), STATE_TABLE, "s3://" + store + "/query", retries, Optional::empty);
  }

  @Override
  public void close() {
    clients.close();
  }
}
