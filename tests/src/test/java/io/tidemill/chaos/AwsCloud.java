package io.tidemill.chaos;

import io.tidemill.aws.servers.AwsServers;
import io.tidemill.protocol.Ids;
import io.tidemill.storage.Locations;
import io.tidemill.storage.aws.AwsClients;
import io.tidemill.storage.aws.AwsSettings;
import io.tidemill.storage.aws.fault.FaultyHttp;
import io.tidemill.storage.dynamo.DynamoTables;
import io.tidemill.storage.fault.FaultSource;
import io.tidemill.storage.local.LocalPaths;
import io.tidemill.storage.s3.S3Locations;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** S3Proxy and dynalite, whose requests go wrong on their way. */
final class AwsCloud implements Cloud {
  private static final long COPIES_BYTES_MAX = 200L << 20;

  private final Map<String, String> environment;
  private final String bucket;
  private final Ids ids;
  private final List<AwsClients> opened = new CopyOnWriteArrayList<>();

  /**
   * @param name of the bucket and of the tables, which do not exist yet
   */
  AwsCloud(AwsServers servers, String name, Ids ids) {
    this.environment = new TreeMap<>(servers.environment());
    this.bucket = name;
    this.ids = ids;
    environment.put("TIDEMILL_CHECKPOINT_TABLE", name + "-checkpoints");
    environment.put("TIDEMILL_STATE_TABLE", name + "-states");
    AwsClients clients = clients(Life.CALM);
    clients.s3().createBucket(r -> r.bucket(bucket));
    DynamoTables.createCheckpointTable(clients.dynamo(), name + "-checkpoints");
    DynamoTables.createStateTable(clients.dynamo(), name + "-states");
  }

  /** Environment variables of a process that works with it, without going wrong. */
  Map<String, String> environment() {
    return new TreeMap<>(environment);
  }

  private AwsClients clients(FaultSource process) {
    AwsClients clients =
        new AwsClients(
            AwsSettings.of(environment::get),
            Optional.of(
                StaticCredentialsProvider.create(
                    AwsBasicCredentials.create(
                        environment.get("AWS_ACCESS_KEY_ID"),
                        environment.get("AWS_SECRET_ACCESS_KEY")))),
            http -> new FaultyHttp(http, process));
    opened.add(clients);
    return clients;
  }

  @Override
  public Locations locations(FaultSource process, Path scratch) {
    InstantSource clock = InstantSource.system();
    return new Locations(
        Map.of(
            "file",
            new LocalPaths(ids, clock),
            S3Locations.SCHEME,
            new S3Locations(clients(process), scratch, COPIES_BYTES_MAX, clock, ids)));
  }

  @Override
  public String checkpoints() {
    return "s3://" + bucket + "/checkpoints";
  }

  @Override
  public String results() {
    return "s3://" + bucket + "/results";
  }

  @Override
  public void close() {
    opened.forEach(AwsClients::close);
  }
}
