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

  /** Keeps a batch busy for seconds, and lets every row pass. */
  private static final String SLOWLY =
      "WHERE list_sum(list_transform(range(1500000 + amount::BIGINT), lambda x: x % 7)) > 0 GROUP BY";

  @TempDir Path directory;
  private OrdersJob job;

  @BeforeEach
  void writeInput() {
    job = new OrdersJob(directory);
    job.add(1);
  }

  @ParameterizedTest
  @CsvSource({"TERM", "INT"})
  void signalLetsTheBatchFinishAndSaysSo(String signal) throws Exception {
    NewFiles planned = new NewFiles(job.checkpoint().resolve("head"));
    try (CommandRun run = job.with("GROUP BY", SLOWLY).start(Command.classPath(directory))) {
      planned.await(run::hasEnded);
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
    try (CommandRun run = job.with("GROUP BY", SLOWLY).start(Command.classPath(directory))) {
      planned.await(run::hasEnded);
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
      job.add(1);
      // Two runs now want the same file; whoever is first, each row counts once.
      Outcome second = job.run("--force");
      job.add(1);
      int code = first.awaitEnd(SOON);
      assertThatIt(new Outcome(code, "", first.output()), 4, "Another run of this query");
      assertThat(second.code()).as(second.all()).isIn(0, 4);
    }
    job.goesOnWellWithMore();
  }
}
