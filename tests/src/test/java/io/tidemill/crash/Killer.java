package io.tidemill.crash;

import io.tidemill.process.CommandRun;
import io.tidemill.process.NewFiles;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** Starts a query and kills it, again and again, at moments that a seed decides. */
final class Killer {
  private static final Duration FIRST_BATCH_WITHIN = Duration.ofMinutes(2);

  /** If this process stalls, the run may meanwhile have read all there is, and writes no more. */
  private static final Duration NEXT_STEP_WITHIN = Duration.ofSeconds(30);

  /** A delay too short for the next step hits the step itself. */
  private static final int AT_ONCE_MILLIS = 6;

  private final CrashSettings settings;
  private final Runs runs;
  private final Random random;
  private final Consumer<String> print;
  private long startMillis = 1_000;
  private int hits;
  private int plans;
  private int recorded;
  private int publications;

  Killer(CrashSettings settings, Runs runs, Consumer<String> print) {
    this.settings = settings;
    this.runs = runs;
    this.random = new Random(settings.seed());
    this.print = print;
  }

  void killAll(Production production) throws IOException, InterruptedException {
    production.pace().awaitStart();
    for (int kill = 1; kill <= settings.kills(); kill++) {
      if (production.isDone()) {
        throw new IllegalStateException("Nothing is produced any more before kill " + kill);
      }
      kill(kill);
      production.pace().nextRound();
    }
    print.accept(
        "%d of %d kills left a planned batch, %d of them with tasks done, and %d an open publication"
            .formatted(plans, settings.kills(), recorded, publications));
  }

  private void kill(int number) throws IOException, InterruptedException {
    long batchRecords = settings.batchRecords().get(random.nextInt(settings.batchRecords().size()));
    List<Moment> moments = List.of(Moment.values());
    Moment moment = moments.get(random.nextInt(moments.size()));
    double share = random.nextDouble();
    try (CommandRun run = runs.start("default", batchRecords)) {
      long delay = awaitMoment(run, moment, share);
      if (run.endsWithin(Duration.ofMillis(delay))) {
        throw new IllegalStateException("A run ended by itself:\n" + run.output());
      }
      run.kill();
      Aftermath left = Aftermath.of(runs.checkpoint());
      count(left);
      print.accept(
          "kill %d, %d ms %s at %,d records a batch: %s"
              .formatted(number, delay, moment.text(), batchRecords, left.text()));
    }
  }

  /** Waits until the moment begins; the milliseconds to wait from there on. */
  private long awaitMoment(CommandRun run, Moment moment, double share)
      throws InterruptedException {
    long started = System.nanoTime();
    if (moment == Moment.STARTING) {
      return (long) (share * startMillis);
    }
    run.await(CommandRun::isBatch, FIRST_BATCH_WITHIN);
    startMillis = (System.nanoTime() - started) / 1_000_000;
    if (moment == Moment.RUNNING) {
      return (long) (share * settings.killWithinMillis());
    }
    String area = moment == Moment.TASK_RECORDED ? "tasks" : "head";
    boolean came =
        new NewFiles(runs.checkpoint().resolve(area)).await(run::hasEnded, NEXT_STEP_WITHIN);
    if (!came) {
      print.accept("no file came below " + area);
    }
    return (long) (share * AT_ONCE_MILLIS);
  }

  private void count(Aftermath left) {
    hits += left.unfinished() ? 1 : 0;
    plans += left.planned() ? 1 : 0;
    recorded += left.tasksDone() > 0 ? 1 : 0;
    publications += left.publishing() ? 1 : 0;
  }

  /** Kills that left something to finish. */
  int hits() {
    return hits;
  }
}
