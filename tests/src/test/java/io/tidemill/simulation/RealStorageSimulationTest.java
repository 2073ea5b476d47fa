package io.tidemill.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.aws.servers.AwsServers;
import io.tidemill.query.plan.StateForm;
import io.tidemill.storage.Store;
import io.tidemill.storage.aws.AwsClients;
import io.tidemill.storage.aws.AwsSettings;
import io.tidemill.storage.dynamo.DynamoTables;
import io.tidemill.storage.local.LocalPaths;
import io.tidemill.storage.s3.S3Locations;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/**
 * The same simulation on the storage that queries have: with either form of state at least once.
 */
class RealStorageSimulationTest {
  private static final String CHECKPOINTS = "simulated-checkpoints";
  private static final String STATE = "simulated-state";
  private static final String BUCKET = "simulated";

  private final AtomicInteger ids = new AtomicInteger();

  @TempDir private Path directory;

  @Test
  void itHoldsOnDisk() {
    LocalPaths paths = new LocalPaths(this::id, InstantSource.system());
    run(seed -> paths.store(directory.resolve("checkpoint-" + seed).toString()));
  }

  @Test
  void itHoldsOnS3AndDynamo() {
    AwsServers servers = AwsServers.shared();
    Map<String, String> environment = new TreeMap<>(servers.environment());
    environment.put("TIDEMILL_CHECKPOINT_TABLE", CHECKPOINTS);
    environment.put("TIDEMILL_STATE_TABLE", STATE);
    try (AwsClients clients =
        new AwsClients(
            AwsSettings.of(environment::get),
            Optional.of(
                StaticCredentialsProvider.create(
                    AwsBasicCredentials.create(servers.keyId(), servers.secret()))),
            UnaryOperator.identity())) {
      DynamoTables.createCheckpointTable(clients.dynamo(), CHECKPOINTS);
      DynamoTables.createStateTable(clients.dynamo(), STATE);
      clients.s3().createBucket(r -> r.bucket(BUCKET));
      S3Locations locations =
          new S3Locations(clients, directory, 1 << 30, InstantSource.system(), this::id);
      run(seed -> locations.store("s3://" + BUCKET + "/checkpoint-" + seed));
    }
  }

  private String id() {
    return "id" + ids.incrementAndGet();
  }

  /** Runs the seeds up to the first of each form. */
  private static void run(LongFunction<Store> stores) {
    Set<StateForm> forms = EnumSet.noneOf(StateForm.class);
    for (long seed = 0; forms.size() < StateForm.values().length; seed++) {
      try (Store store = stores.apply(seed)) {
        World world = SimulationTest.run(seed, new World(seed, Optional.of(store)));
        if (world.query().isStateful()) {
          forms.add(world.query().form());
        }
        assertThat(world.committedBatches()).as("batches of seed %s", seed).isPositive();
      }
    }
  }
}
