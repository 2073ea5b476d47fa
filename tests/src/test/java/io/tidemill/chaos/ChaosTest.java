package io.tidemill.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.aws.servers.AwsServers;
import io.tidemill.broker.EmbeddedKafka;
import io.tidemill.chaos.ChaosOrders.Target;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code -Dchaos.seed=N} replays a seed, {@code -Dchaos.batches=N} makes it longer. */
class ChaosTest {
  private static final long SEED = Long.getLong("chaos.seed", 20260301);
  private static final int BATCHES = Integer.getInteger("chaos.batches", 26);
  private static EmbeddedKafka kafka;

  @TempDir Path directory;

  @BeforeAll
  static void startBroker() {
    kafka = EmbeddedKafka.start();
  }

  @AfterAll
  static void stopBroker() {
    kafka.close();
  }

  private void check(ChaosTrial.Setup setup, Cloud cloud) throws Exception {
    ChaosTrial trial = new ChaosTrial(setup, cloud, kafka, directory);
    List<String> complaints = trial.run();
    assertThat(complaints).as(trial.story()).isEmpty();
    assertThat(trial.disturbances()).as(trial.story()).isPositive();
  }

  @ParameterizedTest
  @CsvSource({"object, PARQUET", "object, KAFKA", "dynamodb, PARQUET", "dynamodb, KAFKA"})
  void theResultIsAsIfNothingHadHappened(String state, Target target) throws Exception {
    AtomicInteger ids = new AtomicInteger();
    check(
        new ChaosTrial.Setup("files", state, target, BATCHES, SEED, Rates.OFTEN),
        new DiskCloud(directory.resolve("cloud"), () -> "disk-" + ids.incrementAndGet()));
  }

  @ParameterizedTest
  @CsvSource({"object, PARQUET", "dynamodb, KAFKA"})
  void soItIsWithTheInterfacesOfAws(String state, Target target) throws Exception {
    AtomicInteger ids = new AtomicInteger();
    ChaosTrial.Setup setup =
        new ChaosTrial.Setup("aws", state, target, BATCHES / 4, SEED, Rates.OFTEN);
    try (AwsCloud cloud =
        new AwsCloud(AwsServers.shared(), setup.name(), () -> "aws-" + ids.incrementAndGet())) {
      check(setup, cloud);
    }
  }
}
