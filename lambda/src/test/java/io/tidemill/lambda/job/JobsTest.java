package io.tidemill.lambda.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.connectors.memory.MemoryStreams;
import io.tidemill.connectors.memory.MemoryTables;
import io.tidemill.lambda.message.JobReference;
import io.tidemill.local.StandardConnectors;
import io.tidemill.local.StandardLocations;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.aws.AwsClients;
import io.tidemill.storage.aws.AwsSettings;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobsTest {
  private static final String TEXT =
      """
      CREATE STREAM ticks WITH (connector = 'rate', rowsPerSecond = '1');
      CREATE SINK out WITH (connector = 'noop');
      INSERT INTO out SELECT * FROM ticks;
      """;

  @TempDir Path directory;

  private final AwsClients clients = new AwsClients(AwsSettings.of(name -> null));
  private final Folder folder = new Folder();

  @AfterEach
  void close() {
    clients.close();
  }

  /** One job, and how often its text was asked for. */
  private static final class Folder implements JobFolder {
    String text = TEXT;
    final List<String> asked = new ArrayList<>();

    @Override
    public List<String> names() {
      return List.of("job.sql");
    }

    @Override
    public Optional<String> text(String name) {
      asked.add(name);
      return name.equals("job.sql") ? Optional.of(text) : Optional.empty();
    }

    @Override
    public String location() {
      return "here";
    }
  }

  private Jobs jobs() {
    StandardLocations places =
        StandardLocations.of(clients, directory, InstantSource.system(), () -> "id");
    return new Jobs(
        folder,
        StandardConnectors.of(
            places.locations(),
            InstantSource.system(),
            new PrintStream(PrintStream.nullOutputStream()),
            new MemoryStreams(),
            new MemoryTables()),
        name -> null,
        new References(Map.of()));
  }

  private static JobReference only(Jobs jobs) {
    return jobs.find(Optional.of("job.sql"), Optional.of("out"), Map.of()).get(0);
  }

  @Test
  void findingAndPlanningAJobIsOneLookAtTheFolder() {
    Jobs jobs = jobs();
    assertThat(jobs.plan(only(jobs)).name()).isEqualTo("out");
    assertThat(folder.asked).hasSize(1);
  }

  @Test
  void aFunctionThatHasSeenAnotherTextReadsTheJobAgain() {
    Jobs task = jobs();
    task.plan(only(task));
    folder.text = TEXT + "-- changed\n";
    JobReference changed = only(jobs());
    folder.asked.clear();

    assertThat(task.plan(changed).name()).isEqualTo("out");
    assertThat(folder.asked).hasSize(1);
    task.plan(changed);
    assertThat(folder.asked).hasSize(1);
  }

  @Test
  void aTextThatIsGoneIsNotPlanned() {
    Jobs orchestrator = jobs();
    JobReference reference = only(orchestrator);
    folder.text = TEXT + "-- changed\n";

    assertThatThrownBy(() -> jobs().plan(reference))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.CHECKPOINT_MISMATCH));
  }
}
