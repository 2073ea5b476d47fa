package io.tidemill.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.aws.servers.AwsServers;
import io.tidemill.broker.EmbeddedKafka;
import io.tidemill.chaos.ChaosOrders.Target;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small form of what {@code tests/chaos/run} does; {@code -Dchaos.seed=N} replays a seed. */
class ChaosIT {
  private static final long SEED = Long.getLong("chaos.seed", 20260301);
  private static final int BATCHES = 4;

  @TempDir Path directory;

  @Test
  void killedAndFrozenFunctionsLeaveATopicAsIfNothingHadHappened() throws Exception {
    ChaosTrial.Setup setup =
        new ChaosTrial.Setup("it", "dynamodb", Target.KAFKA, BATCHES, SEED, Rates.STORAGE_ONLY);
    StringBuilder story = new StringBuilder("seed " + SEED);
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      kafka.createTopic(setup.name(), 3);
      Inspection found =
          new ProcessTrial(
                  setup,
                  AwsServers.shared(),
                  kafka.bootstrapServers(),
                  directory,
                  line -> story.append('\n').append(line))
              .run();
      assertThat(found.complaints()).as(story.toString()).isEmpty();
      assertThat(found.batches()).as(story.toString()).isGreaterThanOrEqualTo(BATCHES);
    }
  }
}
