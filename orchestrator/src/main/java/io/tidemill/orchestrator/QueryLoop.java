package io.tidemill.orchestrator;

import io.tidemill.checkpoint.Committed;
import io.tidemill.checkpoint.Head;
import io.tidemill.checkpoint.PlannedBatch;
import io.tidemill.checkpoint.PlannedSource;
import io.tidemill.orchestrator.progress.QueryProgress;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.source.SourcePosition;
import java.util.List;
import java.util.Optional;

/**
 * The life of a run: recover what another run left, then plan, run, commit, publish and tidy up
 * batch after batch. It never blocks on tasks or time: {@link #step} does one thing and says when
 * it wants to be called again, so that the same code runs on a thread and in a simulation. An
 * exception of a step is the end of the run. Used by one thread.
 */
final class QueryLoop implements AutoCloseable {
  private enum Phase {
    RECOVER,
    PLAN,
    RUN,
    PUBLISH,
    TIDY,
    ENDED
  }

  private final RunParts parts;
  private final boolean continued;
  private Phase phase = Phase.RECOVER;

  /** The batch that the phase is about; null if another run committed it. */
  private Current current;

  /** The batch behind it, if its tasks were started in the commit of the current one. */
  private Current following;

  private Optional<BatchId> historyStored = Optional.empty();
  private boolean hasRunBatch;
  private long triggerStartMillis;
  private boolean hasTriggered;

  /**
   * @param continued as in {@link RunSpec}
   */
  QueryLoop(RunParts parts, boolean continued) {
    this.parts = parts;
    this.continued = continued;
  }

  /** A batch that is run, from its start until it is tidied up. */
  private static final class Current {
    final PlannedBatch batch;
    final List<SourcePosition> latest;
    final BatchTimes times;
    final BatchRun run;
    final long runStartMillis;
    BatchResult result;

    Current(
        PlannedBatch batch,
        List<SourcePosition> latest,
        BatchTimes times,
        BatchRun run,
        long runStartMillis) {
      this.batch = batch;
      this.latest = latest;
      this.times = times;
      this.run = run;
      this.runStartMillis = runStartMillis;
    }
  }

  /** Does the next thing; at most one act that lasts. */
  Next step() {
    return switch (phase) {
      case RECOVER -> recover();
      case PLAN -> plan();
      case RUN -> run();
      case PUBLISH -> publish();
      case TIDY -> tidy();
      case ENDED -> Next.ENDED;
    };
  }

  /** Ends the run after a failure: gives up running tasks and, if possible, the lease. */
  void abandon() {
    phase = Phase.ENDED;
    cancel(current);
    cancel(following);
    parts.head().abandon();
  }

  private static void cancel(Current batch) {
    if (batch != null) {
      batch.run.cancel();
    }
  }

  @Override
  public void close() {
    parts.close();
  }

  private Next recover() {
    Head head = parts.head().head();
    if (head.unfinished()) {
      parts.head().takeOver();
    }
    if (head.committed().publication().isPresent()) {
      phase = Phase.PUBLISH;
    } else {
      follow();
    }
    return Next.GO_ON;
  }

  /**
   * Goes on to the batch that is fixed in the head, or to planning one. A run that is to stop gives
   * up the tasks of that batch which it began: those at work record their results, which the next
   * run takes, and those still waiting for a function are not begun.
   */
  private void follow() {
    Optional<PlannedBatch> planned = parts.head().head().planned();
    if (planned.isEmpty() || parts.control().stopRequested()) {
      cancel(following);
      phase = Phase.PLAN;
    } else {
      run(following == null ? replay(planned.get()) : following);
    }
    following = null;
  }

  private Current replay(PlannedBatch planned) {
    List<SourcePosition> ends = planned.sources().stream().map(PlannedSource::end).toList();
    return start(planned, ends, trigger(), true);
  }

  private Next plan() {
    boolean done = parts.pacing().isOnce() && hasRunBatch;
    if (parts.control().stopRequested() || done) {
      return end();
    }
    long due = parts.pacing().dueMillis();
    boolean hurry = parts.pacing().isPolling() && parts.control().hasOpenQuestion();
    if (parts.now() < due && !hurry) {
      return waitUntil(due);
    }
    parts.events().status(QueryStatus.LOOKING);
    long question = parts.control().asked();
    BatchTimes times = trigger();
    Optional<BatchPlanner.Draft> draft =
        parts.planner().plan(parts.head().head(), mayRunWithoutData(), parts.now(), times);
    if (draft.isEmpty()) {
      return idle(question);
    }
    // To ask sources may have taken long.
    if (parts.control().stopRequested()) {
      return end();
    }
    // A batch whose result cannot be shown must not be fixed.
    parts.sinks().open();
    times.measure(
        BatchTimes.WAL_COMMIT,
        () -> write(parts.head().head().withPublished().withPlanned(draft.get().batch())));
    run(start(draft.get().batch(), draft.get().latest(), times, false));
    return Next.GO_ON;
  }

  private Next idle(long question) {
    if (parts.pacing().endsWhenIdle()) {
      parts.control().answer(question);
      return end();
    }
    if (parts.head().isNew()) {
      write(parts.head().head());
    }
    parts.control().answer(question);
    parts.pacing().idled(parts.now());
    parts.events().idle();
    return waitUntil(parts.pacing().dueMillis());
  }

  private Next waitUntil(long due) {
    parts.events().status(parts.pacing().isPolling() ? QueryStatus.IDLE : QueryStatus.WAITING);
    return Next.waitUntil(due);
  }

  private BatchTimes trigger() {
    long now = parts.now();
    BatchTimes times = parts.times(hasTriggered ? triggerStartMillis : now);
    hasTriggered = true;
    triggerStartMillis = now;
    parts.pacing().started(now);
    return times;
  }

  private Current start(
      PlannedBatch batch, List<SourcePosition> latest, BatchTimes times, boolean replay) {
    parts.sinks().open();
    return new Current(batch, latest, times, parts.start(batch, replay), parts.now());
  }

  private void run(Current started) {
    parts.events().status(QueryStatus.RUNNING);
    current = started;
    phase = Phase.RUN;
  }

  private Next run() {
    Optional<BatchResult> result = current.run.poll();
    if (result.isEmpty()) {
      parts.head().renewIfDue();
      long renewal = parts.head().renewalDueMillis();
      return Next.waitUntil(Math.min(current.run.nextLookMillis(), renewal));
    }
    current.result = result.get();
    current.times.add(BatchTimes.ADD_BATCH, parts.now() - current.runStartMillis);
    commit();
    return Next.GO_ON;
  }

  private void commit() {
    Head head = parts.head().head();
    BatchId id = current.batch.batch();
    Committed after = parts.committing().after(head.committed(), current.batch, current.result);
    Head next = head.withCommitted(after, parts.entry(id, progress(after)));
    Optional<BatchPlanner.Draft> ahead = planAhead(next);
    hasRunBatch = true; // Also if nobody can say any more whether the write was done.
    current.times.measure(
        BatchTimes.COMMIT_OFFSETS,
        () -> write(ahead.map(draft -> next.withPlanned(draft.batch())).orElse(next)));
    parts.pacing().worked(parts.now());
    following = ahead.flatMap(this::startAhead).orElse(null);
    phase = Phase.PUBLISH;
  }

  /**
   * Its tasks work while the batch before is published and tidied up; only its commit has to wait.
   * A run that is to stop would give them up: it leaves them to the next run.
   */
  private Optional<Current> startAhead(BatchPlanner.Draft draft) {
    return parts.control().stopRequested()
        ? Optional.empty()
        : Optional.of(start(draft.batch(), draft.latest(), trigger(), false));
  }

  /**
   * The batch behind the one being committed, if it can be fixed already, which saves a write. If
   * it cannot be planned, the commit goes on without it, and planning it anew shows the failure.
   */
  private Optional<BatchPlanner.Draft> planAhead(Head committing) {
    if (parts.control().stopRequested() || !parts.pacing().mayPlanAhead(parts.now())) {
      return Optional.empty();
    }
    try {
      return parts
          .planner()
          .plan(committing, true, parts.now(), current.times)
          .filter(draft -> !parts.control().stopRequested());
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  private Next publish() {
    Head head = parts.head().head();
    Committed committed = head.committed();
    if (committed.publication().isPresent()) {
      BatchId id = committed.batch().orElseThrow();
      Runnable publication =
          () -> parts.sinks().publish(head.timeline(), id, committed.publication().get());
      if (current == null) {
        publication.run();
      } else {
        current.times.measure(BatchTimes.PUBLISH, publication);
      }
    }
    parts.sources().committed(committed.positions());
    phase = Phase.TIDY;
    return Next.GO_ON;
  }

  private Next tidy() {
    Head head = parts.head().head();
    List<String> shuffles = List.of();
    if (current != null) {
      parts.events().progress(progress(head.committed()));
      shuffles = current.result.shuffles();
      current = null;
    }
    historyStored = parts.housekeeping().after(head, shuffles);
    follow();
    return Next.GO_ON;
  }

  private QueryProgress progress(Committed after) {
    return parts.report().of(current.batch, current.latest, current.result, after, current.times);
  }

  /** Whether a batch has come so far as to be committed. */
  boolean hasRunBatch() {
    return hasRunBatch;
  }

  private boolean mayRunWithoutData() {
    return (hasRunBatch || continued) && !parts.pacing().isOnce();
  }

  private Next end() {
    parts.head().end(tidied(parts.head().head().withPublished()));
    phase = Phase.ENDED;
    return Next.ENDED;
  }

  private void write(Head next) {
    parts.head().write(tidied(next));
    historyStored = Optional.empty();
  }

  /** The head without history that is stored elsewhere. */
  private Head tidied(Head next) {
    return historyStored.map(next::withoutHistory).orElse(next);
  }
}
