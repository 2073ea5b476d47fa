package io.tidemill.host;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One process of a function. It asks for invocations, gets one at a time, and is stopped while
 * there is none. Once killed or ended it is never used again.
 */
final class Instance implements RuntimeApi.Calls, AutoCloseable {
  private static final Duration MEMORY_LOOK = Duration.ofMillis(250);

  /** For a process that was killed, on a machine that does not come to it. */
  private static final Duration END_PATIENCE = Duration.ofMinutes(2);

  private final FunctionSpec spec;
  private final HostSettings settings;
  private final ScheduledExecutorService timer;
  private final BlockingQueue<Invocation> waiting = new ArrayBlockingQueue<>(1);
  private final RuntimeApi api;
  private final Process process;
  private final CompletableFuture<Void> over;
  private boolean stopped;
  private Invocation current;
  private long deliveredMillis;
  private volatile boolean dead;
  private volatile Exit exit = Exit.KILLED;
  private volatile boolean tooLarge;
  private volatile Optional<Reply> initFailure = Optional.empty();

  Instance(
      FunctionSpec spec,
      HostSettings settings,
      Path taskRoot,
      Path own,
      Snapshot.Role snapshot,
      ScheduledExecutorService timer,
      Watchdog watchdog)
      throws IOException {
    this.spec = spec;
    this.settings = settings;
    this.timer = timer;
    this.api = new RuntimeApi(this);
    this.process = ProcessLine.start(spec, settings, taskRoot, own, api.address(), snapshot);
    watchdog.started(process.pid());
    this.over =
        process
            .onExit()
            .thenAccept(
                p -> {
                  exit = Exit.of(p.exitValue());
                  ended();
                  api.close();
                  watchdog.ended(p.pid());
                });
  }

  /** Hands an invocation to the process. */
  void deliver(Invocation invocation) {
    synchronized (this) {
      current = invocation;
      deliveredMillis = settings.clock().millis();
      waiting.add(invocation);
      if (stopped) {
        stopped = false;
        Signals.go(process.pid());
      }
    }
    if (dead) {
      ended();
    }
    Duration start = api.hasAsked() ? Duration.ZERO : settings.initTimeout();
    limit(invocation, start.plus(spec.timeout()));
    invocation.fate().killedAfter().ifPresent(after -> killDuring(invocation, after));
    invocation.fate().frozen().ifPresent(freeze -> stopDuring(invocation, freeze));
    watchMemory(invocation);
  }

  private void limit(Invocation invocation, Duration most) {
    during(
        invocation,
        most,
        () -> {
          dead = true; // Whoever waits for the reply must not be given this instance again.
          String seconds = String.format(java.util.Locale.ROOT, "%.2f", millis(most) / 1000.0);
          invocation
              .reply()
              .complete(
                  Reply.failed(
                      "Sandbox.Timedout",
                      invocation.requestId(),
                      "Error: Task timed out after " + seconds + " seconds"));
          kill();
        });
  }

  private void killDuring(Invocation invocation, Duration after) {
    during(invocation, after, this::kill);
  }

  private void stopDuring(Invocation invocation, Fate.Freeze freeze) {
    during(
        invocation,
        freeze.after(),
        () -> {
          Signals.stop(process.pid());
          var unused =
              timer.schedule(
                  () -> Signals.go(process.pid()), millis(freeze.length()), TimeUnit.MILLISECONDS);
        });
  }

  private void watchMemory(Invocation invocation) {
    long most = spec.memoryMegabytes() * 1024L * 1024;
    ScheduledFuture<?> looks =
        timer.scheduleWithFixedDelay(
            () -> {
              if (ProcessLine.residentBytes(process.pid()) > most) {
                tooLarge = true;
                kill();
              }
            },
            millis(MEMORY_LOOK),
            millis(MEMORY_LOOK),
            TimeUnit.MILLISECONDS);
    var unused = invocation.reply().whenComplete((reply, failure) -> looks.cancel(false));
  }

  /** Does something after a time unless the invocation is over by then. */
  private void during(Invocation invocation, Duration after, Runnable act) {
    ScheduledFuture<?> later =
        timer.schedule(
            () -> {
              if (!invocation.reply().isDone()) {
                act.run();
              }
            },
            millis(after),
            TimeUnit.MILLISECONDS);
    var unused = invocation.reply().whenComplete((reply, failure) -> later.cancel(false));
  }

  private static long millis(Duration duration) {
    return duration.toMillis();
  }

  @Override
  public Invocation next() throws InterruptedException {
    synchronized (this) {
      Invocation there = waiting.poll();
      if (there != null) {
        return there;
      }
      if (settings.freeze() && !dead) {
        stopped = true;
        Signals.stop(process.pid());
      }
    }
    return waiting.take();
  }

  @Override
  public long deadlineMillis() {
    return settings.clock().millis() + spec.timeout().toMillis();
  }

  @Override
  public void answered(String requestId, Reply reply) {
    Invocation answered;
    synchronized (this) {
      answered = current;
    }
    if (answered != null && answered.requestId().equals(requestId)) {
      answered.reply().complete(reply);
    }
  }

  @Override
  public void initFailed(Reply reply) {
    initFailure = Optional.of(reply);
  }

  private void ended() {
    dead = true;
    Invocation left;
    synchronized (this) {
      left = current;
    }
    if (left != null) {
      left.reply()
          .complete(
              initFailure.orElseGet(
                  () ->
                      Reply.failed(
                          tooLarge ? "Runtime.OutOfMemory" : "Runtime.ExitError",
                          left.requestId(),
                          exit.message())));
    }
  }

  /** Milliseconds since the last delivery. */
  long busyMillis() {
    return settings.clock().millis() - deliveredMillis;
  }

  boolean isDead() {
    return dead || !process.isAlive();
  }

  /** Does something once the process has ended. */
  void whenOver(Runnable act) {
    var unused = over.whenComplete((done, failure) -> act.run());
  }

  void kill() {
    dead = true;
    process.destroyForcibly();
  }

  @Override
  public void close() {
    kill();
    try {
      over.get(END_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new TidemillException(
          ErrorCode.INTERNAL, "What served a function's process could not be ended.", e);
    } catch (TimeoutException e) {
      throw new TidemillException(
          ErrorCode.INTERNAL, "A function's process does not end although it was killed.", e);
    }
  }
}
