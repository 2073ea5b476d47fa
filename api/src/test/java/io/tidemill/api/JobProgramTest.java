package io.tidemill.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.function.FunctionSettings;
import io.tidemill.local.LocalQuery;
import io.tidemill.orchestrator.RunSpec;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.job.Variables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs from jars, as the command runs them. */
class JobProgramTest {
  @TempDir private Path directory;

  private static JobProgram load(Path jar, Optional<String> className, Variables variables) {
    return JobProgram.load(
        jar,
        className,
        new JobProgram.Surroundings(
            InstantSource.system(), new RandomIds(), System.out, variables, Optional.empty()));
  }

  private static TidemillException failure(Path jar, String className) {
    TidemillException[] found = new TidemillException[1];
    assertThatThrownBy(() -> load(jar, Optional.of(className), Variables.none()))
        .isInstanceOfSatisfying(TidemillException.class, e -> found[0] = e);
    return found[0];
  }

  private void order(String file, String id, String customer, String amount, String time)
      throws IOException {
    Path folder = Files.createDirectories(directory.resolve("orders"));
    Files.writeString(
        folder.resolve(file),
        "{\"order_id\":\"%s\",\"customer_id\":\"%s\",\"amount\":%s,\"event_time\":\"%s\"}\n"
            .formatted(id, customer, amount, time),
        java.nio.file.StandardOpenOption.CREATE,
        java.nio.file.StandardOpenOption.APPEND);
  }

  @Test
  void theExampleRunsFromItsJar() throws Exception {
    order("1.json", "o1", "ada", "10.25", "2024-01-01T00:01:00Z");
    order("1.json", "o1", "ada", "10.25", "2024-01-01T00:01:00Z");
    order("1.json", "o2", "ada", "5", "2024-01-01T00:02:00Z");
    order("1.json", "o3", "bob", "\"free\"", "2024-01-01T00:02:00Z");
    order("1.json", "o4", "bob", "1", "2024-01-01T01:00:00Z");
    Path jar = CompiledJar.of(directory, CompiledJar.example("RevenueJob"));
    Variables data = new Variables(Map.of("DATA", directory.toString()), name -> null);
    try (JobProgram program = load(jar, Optional.of("com.example.RevenueJob"), data)) {
      assertThat(program.queries()).hasSize(1);
      run(program, program.queries().get(0));
    }
    try (Session session = Session.builder().getOrCreate()) {
      assertThat(session.read().parquet(directory.resolve("revenue").toString()).collectAsList())
          .hasToString("[[2024-01-01T00:00:00Z,2024-01-01T00:05:00Z,ada,15.25,2]]");
    }
  }

  private void run(JobProgram program, PlannedQuery query) throws InterruptedException {
    LocalQuery.Machine machine =
        new LocalQuery.Machine(
            program.connectors(),
            1,
            FunctionSettings.STANDARD,
            directory.resolve("scratch"),
            InstantSource.system(),
            new RandomIds());
    try (LocalQuery local =
        LocalQuery.start(
            RunSpec.of(query.plan()), Path.of(query.checkpoint().orElseThrow()), machine)) {
      local.run().awaitTermination();
    }
  }

  @Test
  void aProgramThatWaitsForItsQueriesIsAJobToo() throws Exception {
    Path source =
        CompiledJar.source(
            directory,
            "Waiting",
            """
            import io.tidemill.api.Session;
            import io.tidemill.api.StreamingJob;

            public class Waiting implements StreamingJob {
              @Override
              public void define(Session session) {
                try {
                  session.readStream().format("rate").load().writeStream().format("noop")
                      .queryName("rates").start().awaitTermination();
                  session.streams().awaitAnyTermination();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
                session.stop();
              }
            }
            """);
    Path jar = CompiledJar.of(directory, source);
    try (JobProgram program = load(jar, Optional.empty(), Variables.none())) {
      assertThat(program.queries().get(0).plan().name()).isEqualTo("rates");
      assertThat(program.queries().get(0).checkpoint()).isEmpty();
    }
  }

  @Test
  void mistakesInAJobAreSaidInWords() throws Exception {
    Path source =
        CompiledJar.source(
            directory,
            "Jobs",
            """
            import io.tidemill.api.Session;
            import io.tidemill.api.StreamingJob;

            public class Jobs {
              public static class Empty implements StreamingJob {
                @Override
                public void define(Session session) {}
              }

              public static class Throwing implements StreamingJob {
                @Override
                public void define(Session session) {
                  throw new IllegalStateException("broken");
                }
              }

              public static class Illegal implements StreamingJob {
                @Override
                public void define(Session session) {
                  session.readStream().format("rate").load().groupBy("value").count()
                      .writeStream().format("noop").start();
                }
              }

              public static class Private implements StreamingJob {
                private Private() {}

                @Override
                public void define(Session session) {}
              }
            }
            """);
    Path jar = CompiledJar.of(directory, source);
    assertThat(failure(directory.resolve("none.jar"), "Jobs").code())
        .isEqualTo(ErrorCode.INVALID_OPTION);
    assertThat(failure(jar, "Job").code()).isEqualTo(ErrorCode.UNKNOWN_NAME);
    assertThat(failure(jar, "Jobs")).hasMessageContaining("no StreamingJob");
    assertThat(failure(jar, "Jobs$Empty")).hasMessageContaining("starts no query");
    assertThat(failure(jar, "Jobs$Throwing"))
        .hasMessageContaining("broken")
        .extracting(TidemillException::code)
        .isEqualTo(ErrorCode.QUERY_FAILED);
    assertThat(failure(jar, "Jobs$Illegal")).hasMessageContaining("needs a watermark");
    assertThat(failure(jar, "Jobs$Private")).hasMessageContaining("public constructor");
  }
}
