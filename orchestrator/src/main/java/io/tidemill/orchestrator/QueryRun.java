package io.tidemill.orchestrator;

import io.tidemill.orchestrator.progress.QueryProgress;
import io.tidemill.protocol.QueryId;
import io.tidemill.protocol.error.Category;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One run of a query, on a thread of its own ({@link #start}) or on the caller's ({@link #open},
 * then {@link #run}).
 */
public final class QueryRun implements StreamingQuery {
  private final String name;
  private final String runId;
  private final QueryId id;
  private final Control control;
  private final ClockWaiter waiter;
  private final Events events;
  private final QueryLoop loop;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile TidemillException failure;
  private volatile boolean interrupting;
  private volatile Thread thread;

  /** Guards interrupts of the run's thread. */
  private final Object interrupts = new Object();

  /** Whether the run is on its way out, which no interrupt may disturb. */
  private boolean leaving;

  private QueryRun(RunSpec spec, RunEnvironment environment) {
    this.name = spec.plan().name();
    this.runId = environment.ids().next();
    this.control = new Control();
    this.waiter = new ClockWaiter(environment.clock());
    RunParts parts = RunParts.open(spec, environment, runId, control, waiter::wake);
    this.id = parts.head().head().query();
    this.events = parts.events();
    this.loop = new QueryLoop(parts, spec.continued());
  }

  /**
   * Opens the checkpoint, the sources and the sinks, and writes nothing. What is opened is closed
   * by {@link #run}, which must follow. Errors: those of the checkpoint ({@code
   * CHECKPOINT_MISMATCH}, {@code CHECKPOINT_NEWER}, {@code CHECKPOINT_CORRUPT}, {@code FENCED}
   * while another run holds the lease) and of the connectors.
   */
  public static QueryRun open(RunSpec spec, RunEnvironment environment) {
    return new QueryRun(spec, environment);
  }

  /** Opens, and runs on a thread of its own. */
  public static QueryRun start(RunSpec spec, RunEnvironment environment) {
    QueryRun run = open(spec, environment);
    run.events.started();
    Thread own = new Thread(run::drive, "tidemill-query-" + run.name);
    own.setDaemon(true);
    run.thread = own;
    own.start();
    return run;
  }

  /** Runs on this thread until the query ends; throws the error it ends with. */
  public void run() {
    events.started();
    thread = Thread.currentThread();
    drive();
    if (failure != null) {
      throw failure;
    }
  }

  private void drive() {
    try {
      stepToEnd();
      restore(leave());
    } catch (InterruptedException e) {
      abandon();
    } catch (RuntimeException | Error e) {
      if (!interrupting) {
        failure = asTidemill(e);
      }
      abandon();
    } finally {
      close();
      events.terminated(exception());
      control.end();
      ended.countDown();
    }
  }

  private void stepToEnd() throws InterruptedException {
    Next next = loop.step();
    while (next.kind() != Next.Kind.ENDED) {
      if (interrupting) {
        throw new InterruptedException("the query was stopped at once");
      }
      if (next.kind() == Next.Kind.WAIT) {
        waiter.awaitUntil(next.atMillis());
      }
      next = loop.step();
    }
  }

  /** Clears the interrupt first: storage would refuse to give the lease back. */
  private void abandon() {
    boolean interrupted = leave();
    try {
      loop.abandon();
    } catch (RuntimeException e) {
      attach(e);
    }
    restore(interrupted);
  }

  /** From now on {@link #stopNow} interrupts no more; true if somebody has interrupted before. */
  private boolean leave() {
    synchronized (interrupts) {
      leaving = true;
      return Thread.interrupted();
    }
  }

  private void restore(boolean interrupted) {
    if (interrupted && !interrupting) {
      Thread.currentThread().interrupt();
    }
  }

  private void close() {
    try {
      loop.close();
    } catch (RuntimeException e) {
      attach(e);
    }
  }

  /**
   * A failure on the way out counts if there was none before, or if it tells the true cause: a run
   * that is fenced may first notice that what it works on is gone.
   */
  private void attach(RuntimeException e) {
    TidemillException first = failure;
    if (first == null) {
      failure = asTidemill(e);
    } else if (e instanceof TidemillException t && t.category() == Category.FENCED) {
      t.addSuppressed(first);
      failure = t;
    } else {
      first.addSuppressed(e);
    }
  }

  private static TidemillException asTidemill(Throwable e) {
    return e instanceof TidemillException t
        ? t
        : new TidemillException(
            ErrorCode.INTERNAL, "The query loop failed in a way that was not foreseen.", e);
  }

  @Override
  public QueryId id() {
    return id;
  }

  @Override
  public String runId() {
    return runId;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isActive() {
    return ended.getCount() > 0;
  }

  @Override
  public Optional<TidemillException> exception() {
    return Optional.ofNullable(failure);
  }

  /** Once the run has ended: whether a batch came so far as to be committed. */
  public boolean hasRunBatch() {
    return loop.hasRunBatch();
  }

  @Override
  public QueryStatus status() {
    return events.status();
  }

  @Override
  public List<QueryProgress> recentProgress() {
    return events.recent();
  }

  @Override
  public Optional<QueryProgress> lastProgress() {
    List<QueryProgress> recent = events.recent();
    return recent.isEmpty() ? Optional.empty() : Optional.of(recent.get(recent.size() - 1));
  }

  @Override
  public void awaitTermination() throws InterruptedException {
    ended.await();
    throwFailure();
  }

  @Override
  public boolean awaitTermination(Duration atMost) throws InterruptedException {
    boolean over = ended.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    if (over) {
      throwFailure();
    }
    return over;
  }

  @Override
  public void processAllAvailable() throws InterruptedException {
    long question = control.ask();
    waiter.wake();
    control.awaitAnswer(question);
    throwFailure();
  }

  @Override
  public void requestStop() {
    control.requestStop();
    waiter.wake();
  }

  @Override
  public void stop() throws InterruptedException {
    requestStop();
    awaitEnd();
  }

  @Override
  public void stopNow() throws InterruptedException {
    requestStop();
    synchronized (interrupts) {
      interrupting = true;
      Thread running = thread;
      if (running != null && !leaving) {
        running.interrupt();
      }
    }
    awaitEnd();
  }

  /** A listener may stop the query from the query's own thread, which must not wait for itself. */
  private void awaitEnd() throws InterruptedException {
    if (Thread.currentThread() != thread) {
      ended.await();
    }
  }

  private void throwFailure() {
    if (failure != null) {
      throw failure;
    }
  }
}
