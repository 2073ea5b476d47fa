package io.tidemill.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.broker.EmbeddedKafka;
import io.tidemill.process.Command;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small form of what {@code tests/crash/run} does; {@code -Dcrash.seed=N} replays a seed. */
class CrashTest {
  private static final int KILLS = 3;
  private static final long SEED = Long.getLong("crash.seed", 5);

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

  @Test
  void killedRunsLeaveParquetFilesAsIfNothingHadHappened() throws Exception {
    checkWith(new ParquetTarget());
  }

  @Test
  void killedRunsLeaveATopicAsIfNothingHadHappened() throws Exception {
    checkWith(new KafkaTarget(kafka.bootstrapServers()));
  }

  private void checkWith(Target target) throws Exception {
    StringBuilder story = new StringBuilder("seed " + SEED);
    Verdict verdict =
        new CrashTrial(
                CrashSettings.small(KILLS, SEED),
                target,
                Command.classPath(directory),
                kafka.bootstrapServers(),
                directory,
                line -> story.append('\n').append(line))
            .run();
    assertThat(verdict.differences()).as(story.toString()).isEmpty();
    assertThat(verdict.rows()).as(story.toString()).isPositive();
    assertThat(verdict.hits()).as(story.toString()).isPositive();
  }
}
