package io.tidemill.badinput;

import static io.tidemill.badinput.Complaint.assertThatIt;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.process.Command;
import io.tidemill.process.CommandRun;
import io.tidemill.process.NewFiles;
import io.tidemill.process.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoppedRunTest {
  private static final Duration SOON = Duration.ofMinutes(1);
  private static final Predicate<String> A_BATCH = CommandRun::isBatch;

  /** Several seconds at best; a machine in trouble takes as much longer as the test does. */
  private static final int FOR_SECONDS = 15_000;

  /** Longer than anybody waits: the batch is not to end. */
  private static final int FOR_LONG = 10 * FOR_SECONDS;

  @TempDir Path directory;
  private OrdersJob job;

  @BeforeEach
  void writeInput() {
    job = new OrdersJob(directory);
    job.add(1);
  }

  /**
   * Keeps a batch busy, and lets every row pass.
   *
   * @param thousands so many thousand steps for each row
   */
  private OrdersJob busy(int thousands) {
    return job.with(
        "GROUP BY",
        """
        WHERE list_sum(list_transform(range(%d + amount::BIGINT), lambda y:
          list_sum(list_transform(range(1000), lambda x: (x + y) %% 7)))) > 0
        GROUP BY\
        """
            .formatted(thousands));
  }

  @ParameterizedTest
  @CsvSource({"TERM", "INT"})
  void signalLetsTheBatchFinishAndSaysSo(String signal) throws Exception {
    NewFiles planned = new NewFiles(job.checkpoint().resolve("head"));
    try (CommandRun run = busy(FOR_SECONDS).start(Command.classPath(directory))) {
      assertThat(planned.await(run::hasEnded, SOON)).as(run.output()).isTrue();
      run.signal(signal);
      run.await(line -> line.startsWith("Stopping when the batch is done"), SOON);
      assertThat(run.lines()).noneMatch(A_BATCH);
      assertThat(run.awaitEnd(SOON)).as(run.output()).isZero();
      assertThat(run.lines()).anyMatch(A_BATCH);
      assertThat(run.output()).contains("Stopped after 1 batches: 20 rows read");
    }
    job.goesOnWellWithMore();
  }

  @ParameterizedTest
  @CsvSource({"TERM, 143", "INT, 130"})
  void secondSignalStopsAtOnce(String signal, int code) throws Exception {
    NewFiles planned = new NewFiles(job.checkpoint().resolve("head"));
    try (CommandRun run = busy(FOR_LONG).start(Command.classPath(directory))) {
      assertThat(planned.await(run::hasEnded, SOON)).as(run.output()).isTrue();
      run.signal(signal);
      run.await(line -> line.startsWith("Stopping when the batch is done"), SOON);
      run.signal(signal);
      assertThat(run.awaitEnd(SOON)).as(run.output()).isEqualTo(code);
      assertThat(run.lines()).noneMatch(A_BATCH);
    }
    job.goesOnWellWithMore();
  }

  @Test
  void secondRunIsRefusedWhileTheFirstGoesOn() throws Exception {
    try (CommandRun first = job.start(Command.classPath(directory))) {
      first.await(A_BATCH, SOON);
      Outcome second = job.run();
      assertThatIt(second, 4, "Another run of this query is active", "owner: ");
      job.add(1);
      first.await(line -> line.contains(" batch 1:"), SOON);
      first.signal("TERM");
      assertThat(first.awaitEnd(SOON)).as(first.output()).isZero();
    }
    job.goesOnWellWithMore();
  }

  @Test
  void forcedTakeOverEndsTheFirstRun() throws Exception {
    try (CommandRun first = job.start(Command.classPath(directory))) {
      first.await(A_BATCH, SOON);
      // Else the first may be done with the file before the second sees it and takes over.
      first.signal("STOP");
      job.add(1);
      Outcome second = job.run("--force");
      assertThat(second.code()).as(second.all()).isZero();
      first.signal("CONT");
      job.add(1);
      int code = first.awaitEnd(SOON);
      assertThatIt(new Outcome(code, "", first.output()), 4, "Another run of this query");
    }
    job.goesOnWellWithMore();
  }
}
