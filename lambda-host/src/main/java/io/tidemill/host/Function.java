package io.tidemill.host;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;

/** A deployed function with its instances, warm ones first. Thread-safe. */
final class Function implements AutoCloseable {
  private final FunctionSpec spec;
  private final HostSettings settings;
  private final Path directory;
  private final Path taskRoot;
  private final Snapshot.Role snapshot;
  private final ScheduledExecutorService timer;
  private final Watchdog watchdog;
  private final Deque<Instance> idle = new ArrayDeque<>();
  private final Set<Instance> all = new HashSet<>();
  private int busy;
  private int started;
  private boolean closed;
  private Tally tally;

  Function(
      FunctionSpec spec,
      HostSettings settings,
      Path directory,
      ScheduledExecutorService timer,
      Watchdog watchdog) {
    this.spec = spec;
    this.settings = settings;
    this.directory = directory;
    this.timer = timer;
    this.watchdog = watchdog;
    this.taskRoot = FunctionPackage.unpack(spec.zip(), directory.resolve("task"));
    this.snapshot =
        spec.snapStart()
            ? Snapshot.take(spec, settings, taskRoot, directory.resolve("snapshot"), watchdog)
            : Snapshot.Role.NONE;
    this.tally = new Tally(0, 0, 0, 0, 0, spec.memoryMegabytes(), 0, 0, 0);
  }

  FunctionSpec spec() {
    return spec;
  }

  synchronized Tally tally() {
    return tally;
  }

  synchronized int busy() {
    return busy;
  }

  /** Counts a refusal. */
  synchronized void throttled() {
    tally =
        new Tally(
            tally.invocations(),
            tally.coldStarts(),
            tally.errors(),
            tally.throttles() + 1,
            tally.billedMillis(),
            tally.memoryMegabytes(),
            tally.requestBytes(),
            tally.responseBytes(),
            tally.busyMost());
  }

  /** Gives the event to an instance; empty if as many as allowed are busy. */
  Optional<CompletableFuture<Reply>> invoke(
      String requestId, String arn, byte[] payload, String clientContext, Fate fate) {
    Instance instance;
    synchronized (this) {
      if (busy >= spec.concurrency() || closed) {
        return Optional.empty();
      }
      busy++;
      instance = warm().orElse(null);
    }
    if (instance == null) {
      instance = start();
    }
    CompletableFuture<Reply> reply = new CompletableFuture<>();
    Instance used = instance;
    Watch.Delivery delivery = new Watch.Delivery(spec.name(), RuntimeApi.trace(requestId), payload);
    settings.watch().begun(delivery);
    CompletableFuture<Reply> counted =
        reply.whenComplete((result, failure) -> release(used, delivery, result));
    used.deliver(new Invocation(requestId, arn, payload, clientContext, fate, reply));
    return Optional.of(counted);
  }

  private Optional<Instance> warm() {
    while (!idle.isEmpty()) {
      Instance last = idle.pop();
      if (!last.isDead()) {
        return Optional.of(last);
      }
    }
    return Optional.empty();
  }

  private synchronized void forget(Instance ended) {
    all.remove(ended);
    idle.remove(ended);
  }

  private Instance start() {
    int number;
    synchronized (this) {
      number = started++;
    }
    try {
      Instance fresh =
          new Instance(
              spec,
              settings,
              taskRoot,
              directory.resolve("instance-" + number),
              snapshot,
              timer,
              watchdog);
      synchronized (this) {
        all.add(fresh);
      }
      fresh.whenOver(() -> forget(fresh));
      return fresh;
    } catch (IOException e) {
      synchronized (this) {
        busy--;
      }
      throw new TidemillException(
              ErrorCode.INTERNAL, "A function's process could not be started.", e)
          .with("function", spec.name());
    }
  }

  private void release(Instance instance, Watch.Delivery delivery, Reply reply) {
    boolean failed = reply == null || reply.isError();
    byte[] answer = reply == null ? new byte[0] : reply.payload();
    Watch.Ending ending = new Watch.Ending(answer, failed, instance.busyMillis());
    count(instance, delivery.event().length, ending);
    settings.watch().ended(delivery, ending);
  }

  private synchronized void count(Instance instance, int requestBytes, Watch.Ending ending) {
    int most = Math.max(busy, tally.busyMost());
    busy--;
    tally =
        new Tally(
            tally.invocations() + 1,
            started,
            tally.errors() + (ending.failed() ? 1 : 0),
            tally.throttles(),
            tally.billedMillis() + ending.billedMillis(),
            tally.memoryMegabytes(),
            tally.requestBytes() + requestBytes,
            tally.responseBytes() + ending.answer().length,
            most);
    if (!instance.isDead()) {
      idle.push(instance);
    }
  }

  /** Ends all instances that are not busy, so that the next invocations start cold. */
  void recycle() {
    Deque<Instance> ending;
    synchronized (this) {
      ending = new ArrayDeque<>(idle);
      idle.clear();
      all.removeAll(ending);
    }
    ending.forEach(Instance::close);
  }

  @Override
  public void close() {
    Set<Instance> ending;
    synchronized (this) {
      closed = true;
      ending = new HashSet<>(all);
      all.clear();
      idle.clear();
    }
    ending.forEach(Instance::kill);
    ending.forEach(Instance::close);
  }
}
