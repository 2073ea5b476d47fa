package io.tidemill.cli;

import io.tidemill.aws.local.LocalAws;
import io.tidemill.aws.local.Prices;
import io.tidemill.aws.local.Schedule;
import io.tidemill.aws.local.Usage;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.plan.QueryPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Triggers the queries of a job, and then once more to see what a trigger costs without data. */
final class AwsRun {
  private final LocalAws aws;
  private final AwsJob job;
  private final Prices prices;
  private volatile boolean stopped;

  AwsRun(LocalAws aws, AwsJob job, Prices prices) {
    this.aws = aws;
    this.job = job;
    this.prices = prices;
  }

  /** Whether somebody asked for the end. */
  boolean stopped() {
    return stopped;
  }

  /** Runs every query until nothing is left to do, or until it is stopped. */
  void run(ProgressDisplay display) throws InterruptedException {
    List<CompletableFuture<String>> runs = new ArrayList<>();
    for (QueryPlan query : job.queries()) {
      runs.add(ask("trigger", query));
    }
    StopSignals.onFirst(
        () -> {
          stopped = true;
          display.say("Stopping at the next write; once more stops at once.");
          for (int i = 0; i < runs.size(); i++) {
            stop(job.queries().get(i), runs.get(i));
          }
        });
    for (int i = 0; i < runs.size(); i++) {
      String outcome = join(runs.get(i));
      if (!outcome.equals("done") && !stopped) {
        throw new TidemillException(
                ErrorCode.FENCED,
                "Another run holds the query, or held it when it was killed. Try again when its"
                    + " lease has expired, a minute after its last write.")
            .with("query", job.queries().get(i).name())
            .with("outcome", outcome);
      }
    }
    if (stopped) {
      for (QueryPlan query : job.queries()) {
        join(ask("start", query));
      }
    }
  }

  /** A query that has never written its head cannot be stopped, and need not be. */
  private void stop(QueryPlan query, CompletableFuture<String> run) {
    var unused =
        ask("stop", query)
            .whenComplete(
                (outcome, failure) -> {
                  if (failure != null) {
                    run.completeExceptionally(failure);
                  }
                });
  }

  private CompletableFuture<String> ask(String action, QueryPlan query) {
    return aws.triggers().ask(action, job.name(), query.name(), job.variables());
  }

  private static String join(CompletableFuture<String> answer) throws InterruptedException {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException known
          ? known
          : new IllegalStateException(e.getCause());
    }
  }

  /**
   * What the schedule costs while there is nothing to do, by triggering each query once more; empty
   * if a query has no schedule, or was stopped before it was done.
   */
  Optional<AwsIdle> idle() throws InterruptedException {
    double dollars = 0;
    List<String> schedules = new ArrayList<>();
    for (QueryPlan query : job.queries()) {
      Optional<Schedule> schedule = Schedule.of(job.text(), query.settings().trigger());
      if (schedule.isEmpty() || (stopped && !schedule.get().loops())) {
        return Optional.empty();
      }
      schedules.add(schedule.get().text());
      dollars +=
          schedule.get().loops()
              ? prices.dollars(aws.orchestratorTime(Schedule.MONTH))
              : prices.idleDollars(schedule.get().triggersPerMonth(), idleTrigger(query));
    }
    return Optional.of(new AwsIdle(schedules.stream().distinct().toList(), dollars));
  }

  private Usage idleTrigger(QueryPlan query) throws InterruptedException {
    Usage before = aws.used();
    join(ask("trigger", query));
    return aws.used().minus(before);
  }
}
