package io.tidemill.host;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Asynchronous invocations: accepted at once, tried again when they fail, as often as there are
 * delays; throttled ones wait without counting. Thread-safe.
 */
final class Events {
  private static final Duration THROTTLED_WAIT = Duration.ofMillis(100);

  private final HostSettings settings;
  private final ScheduledExecutorService timer;
  private final List<LambdaHost.FailedEvent> failed = new CopyOnWriteArrayList<>();

  Events(HostSettings settings, ScheduledExecutorService timer) {
    this.settings = settings;
    this.timer = timer;
  }

  /** Events that were given up, oldest first: what a dead-letter queue would hold. */
  List<LambdaHost.FailedEvent> failed() {
    return List.copyOf(failed);
  }

  void accept(Deployments.Target target, String requestId, byte[] payload) {
    later(Duration.ZERO, () -> attempt(target, requestId, payload, 0));
  }

  private void attempt(Deployments.Target target, String requestId, byte[] payload, int retries) {
    Function function = target.function();
    Fate fate = settings.faults().next(function.spec().name());
    Optional<CompletableFuture<Reply>> running =
        fate.throttled()
            ? Optional.empty()
            : function.invoke(requestId, target.arn(), payload, "", fate);
    if (running.isEmpty()) {
      function.throttled();
      later(THROTTLED_WAIT, () -> attempt(target, requestId, payload, retries));
      return;
    }
    if (fate.duplicated()) {
      var unused = function.invoke(requestId, target.arn(), payload, "", fate.ofDuplicate());
    }
    var unused =
        running
            .get()
            .thenAccept(
                reply -> {
                  if (reply.isError()) {
                    again(target, requestId, payload, retries, reply);
                  }
                });
  }

  private void again(
      Deployments.Target target, String requestId, byte[] payload, int retries, Reply reply) {
    if (retries < settings.asyncRetryDelays().size()) {
      later(
          settings.asyncRetryDelays().get(retries),
          () -> attempt(target, requestId, payload, retries + 1));
    } else {
      failed.add(
          new LambdaHost.FailedEvent(target.function().spec().name(), payload, reply.payload()));
    }
  }

  private void later(Duration delay, Runnable act) {
    if (!timer.isShutdown()) {
      var unused = timer.schedule(act, delay.toMillis(), TimeUnit.MILLISECONDS);
    }
  }
}
