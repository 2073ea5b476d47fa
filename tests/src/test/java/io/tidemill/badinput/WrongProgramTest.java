package io.tidemill.badinput;

import static io.tidemill.badinput.Complaint.assertThatIt;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.process.Outcome;
import io.tidemill.process.ProgramJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WrongProgramTest {
  private static final String JOBS =
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
            throw new IllegalStateException("no luck today");
          }
        }

        public static class Illegal implements StreamingJob {
          @Override
          public void define(Session session) {
            session.readStream().format("rate").load().groupBy("value").count()
                .writeStream().queryName("counts").format("noop").start();
          }
        }

        public static class Mistaken implements StreamingJob {
          @Override
          public void define(Session session) {
            session.readStream().format("rate").load().select("valu");
          }
        }

        public static class Open implements StreamingJob {
          @Override
          public void define(Session session) {
            session.readStream().json(session.variable("NOWHERE"));
          }
        }

        public static class Keeping implements StreamingJob {
          @Override
          public void define(Session session) {
            session.readStream().format("rate").load()
                .writeStream().queryName("kept").format("json").start("out");
          }
        }

        public static class Private implements StreamingJob {
          private Private() {}

          @Override
          public void define(Session session) {}
        }

        public static class Failing implements StreamingJob {
          public Failing() {
            throw new UnsupportedOperationException("not made");
          }

          @Override
          public void define(Session session) {}
        }
      }
      """;

  @TempDir Path directory;

  private Outcome plan(Path jar, String... more) {
    String[] arguments = new String[more.length + 3];
    arguments[0] = "plan";
    arguments[1] = "--jar";
    arguments[2] = jar.toString();
    System.arraycopy(more, 0, arguments, 3, more.length);
    return Outcome.of(arguments);
  }

  private Outcome job(String name) {
    Path jar = ProgramJar.ofSource(directory, "Jobs", JOBS);
    Outcome planned = plan(jar, "--class", name);
    Outcome run = Outcome.of("run", "--jar", jar.toString(), "--class", name);
    assertThat(run).isEqualTo(planned);
    return run;
  }

  @Test
  void jobFileAndJarExcludeEachOther() {
    assertThatIt(Outcome.of("run"), 2, "give a job file, or a jar with --jar");
    assertThatIt(Outcome.of("run", "job.sql", "--jar", "job.jar"), 2, "give one of them");
    assertThatIt(Outcome.of("run", "job.jar"), 2, "give it with --jar");
    assertThatIt(Outcome.of("run", "job.sql", "--class", "Job"), 2, "--class belongs to a jar");
  }

  @Test
  void jarThatIsNotThereOrIsNoJarIsNamed() throws IOException {
    Path missing = directory.resolve("none.jar");
    assertThatIt(plan(missing), 2, "There is no such jar file", missing.toString());
    assertThatIt(plan(directory), 2, "The jar is no file", directory.toString());
    Path text = Files.writeString(directory.resolve("text.jar"), "no jar");
    assertThatIt(plan(text), 2, "The file is no jar", text.toString());
  }

  @Test
  void classThatIsNotThereComesWithTheNearestOneAndAllJobs() {
    assertThatIt(job("Jobs$Thrown"), 2, "Did you mean 'Jobs$Throwing'?", "Jobs$Illegal, ");
    Path jar = ProgramJar.ofExample(directory, "RevenueJob");
    assertThatIt(plan(jar, "--class", "RevenueJob"), 2, "mean 'com.example.RevenueJob'?");
  }

  @Test
  void classIsNeededIfTheJarHasSeveralJobs() {
    Path jar = ProgramJar.ofSource(directory, "Jobs", JOBS);
    assertThatIt(plan(jar), 2, "say which with --class", "Jobs$Empty, ", "Jobs$Illegal, ");
  }

  @Test
  void jarWithoutJobsIsSaidToHaveNone() {
    Path jar = ProgramJar.ofSource(directory, "Nothing", "public class Nothing {}");
    assertThatIt(plan(jar), 2, "The jar has no StreamingJob");
    assertThatIt(plan(jar, "--class", "Nothin"), 2, "mean 'Nothing'?", "jobs: none");
  }

  @Test
  void classThatIsNoJobOrCannotBeMadeIsNamed() {
    assertThatIt(job("Jobs"), 2, "The class is no StreamingJob", "class: Jobs");
    assertThatIt(job("Jobs$Private"), 2, "public constructor without arguments");
  }

  @Test
  void jobWhoseClassesAreNotAllInTheJarNamesTheMissingOne() throws IOException {
    Path jar =
        ProgramJar.ofSource(
            directory,
            "Job",
            """
            import io.tidemill.api.Session;
            import io.tidemill.api.StreamingJob;

            public class Job implements StreamingJob {
              @Override
              public void define(Session session) {
                System.out.println(new Elsewhere());
              }
            }

            class Elsewhere {}
            """);
    Files.delete(directory.resolve("classes/Elsewhere.class"));
    ProgramJar.ofClasses(directory);
    Outcome outcome = plan(jar);
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.errors()).contains("NoClassDefFoundError: Elsewhere", "Job.java:7");
  }

  @Test
  void whatAJobThrowsIsShownWithItsLineAndWithoutTrace() {
    Outcome outcome = job("Jobs$Throwing");
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.errors())
        .isEqualTo(
            """
            error: The job's define method failed.
              class: Jobs$Throwing
              error: java.lang.IllegalStateException: no luck today
              in: Jobs$Throwing.define(Jobs.java:13)
            """);
    outcome = job("Jobs$Failing");
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.errors()).contains("constructor failed", "not made").doesNotContain("\tat ");
  }

  @Test
  void whatTheFunctionOfForeachBatchThrowsIsShown() {
    Path jar =
        ProgramJar.ofSource(
            directory,
            "Job",
            """
            import io.tidemill.api.Session;
            import io.tidemill.api.StreamingJob;

            public class Job implements StreamingJob {
              @Override
              public void define(Session session) {
                session.readStream().format("rate-micro-batch").option("rowsPerBatch", 5).load()
                    .writeStream().queryName("sent").foreachBatch((rows, batch) -> {
                      throw new IllegalStateException("no database today");
                    }).start();
              }
            }
            """);
    Outcome outcome = Outcome.of("run", "--jar", jar.toString());
    assertThat(outcome.code()).as(outcome.all()).isEqualTo(1);
    assertThat(outcome.errors())
        .contains("error: The function of foreachBatch failed", "batchId: 0", "no database today")
        .doesNotContain("\tat ");
  }

  @Test
  void mistakesInAProgramAreShownWithItsLine() {
    assertThatIt(job("Jobs$Empty"), 2, "The job starts no query");
    assertThatIt(job("Jobs$Illegal"), 2, "needs a watermark", "in: Jobs$Illegal.define(Jobs.java:");
    assertThatIt(job("Jobs$Mistaken"), 2, "value", "in: Jobs$Mistaken.define(Jobs.java:");
    assertThatIt(job("Jobs$Open"), 2, "--set NAME=VALUE", "variable: NOWHERE");
    assertThatIt(job("Jobs$Keeping"), 2, "names no checkpoint", "query: kept");
  }

  @Test
  void stackTraceIsShownIfAskedFor() {
    Path jar = ProgramJar.ofSource(directory, "Jobs", JOBS);
    assertThat(plan(jar, "--class", "Jobs$Throwing", "--verbose").errors())
        .contains("Caused by: java.lang.IllegalStateException: no luck today", "\tat ");
  }
}
