package io.tidemill.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.broker.EmbeddedKafka;
import io.tidemill.chaos.ChaosOrders.Target;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code -Dchaos.seed=N} replays a seed, {@code -Dchaos.batches=N} makes it longer. */
class ChaosTest {
  private static final long SEED = Long.getLong("chaos.seed", 20260301);
  private static final int BATCHES = Integer.getInteger("chaos.batches", 200);
  private static final Rates RATES =
      new Rates(0.01, 0.002, 0.002, 0.0003, 0.0005, 0.03, 0.02, 0.02, 0.05);

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

  @ParameterizedTest
  @CsvSource({"object, PARQUET", "object, KAFKA", "dynamodb, PARQUET", "dynamodb, KAFKA"})
  void theResultIsAsIfNothingHadHappened(String state, Target target) throws Exception {
    AtomicInteger ids = new AtomicInteger();
    ChaosTrial trial =
        new ChaosTrial(
            new ChaosTrial.Setup(state, target, BATCHES, SEED, RATES),
            new DiskCloud(directory.resolve("cloud"), () -> "disk-" + ids.incrementAndGet()),
            kafka,
            directory);
    assertThat(trial.run()).as("seed " + SEED + " " + trial.story()).isEmpty();
    System.err.println(trial.story());
  }
}
