package io.tidemill.orchestrator;

import io.tidemill.protocol.Ids;
import io.tidemill.protocol.error.Category;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.protocol.task.TaskResult;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Tasks that run side by side. A task that fails because something outside did not answer is tried
 * again with a new attempt, a bounded number of times; any other failure fails the group. A task
 * that takes much longer than those beside it is invoked a second time, and the first result
 * counts. Used by one thread.
 */
final class TaskGroup {
  /** A task is a straggler if it takes so many times the median of those that are done. */
  private static final int STRAGGLER_FACTOR = 3;

  private final Invoker invoker;
  private final Ids ids;
  private final InstantSource clock;
  private final OrchestratorSettings settings;
  private final Runnable wake;
  private final List<Running> tasks;

  /**
   * @param wake called from any thread when a task is done
   */
  TaskGroup(
      Invoker invoker,
      Ids ids,
      InstantSource clock,
      OrchestratorSettings settings,
      Runnable wake,
      List<TaskRequest> requests) {
    this.invoker = invoker;
    this.ids = ids;
    this.clock = clock;
    this.settings = settings;
    this.wake = wake;
    this.tasks = requests.stream().map(Running::new).toList();
    tasks.forEach(this::start);
  }

  private static final class Running {
    TaskRequest request;
    final List<CompletableFuture<TaskResult>> futures = new ArrayList<>();
    TaskResult result;
    long startedMillis;
    long tookMillis;
    int retries;
    boolean straggled;
    long retryAtMillis;

    Running(TaskRequest request) {
      this.request = request;
    }

    boolean waitsForRetry() {
      return result == null && futures.isEmpty();
    }
  }

  /** Looks at what is done and starts retries that are due; true if all tasks have results. */
  boolean poll() {
    boolean all = true;
    for (Running task : tasks) {
      if (task.waitsForRetry() && clock.millis() >= task.retryAtMillis) {
        start(task);
      }
      if (task.result == null) {
        collect(task);
      }
      all &= task.result != null;
    }
    if (!all) {
      startStragglersAgain();
    }
    return all;
  }

  private void startStragglersAgain() {
    long now = clock.millis();
    OptionalLong limit = stragglerMillis();
    for (Running task : tasks) {
      if (limit.isPresent() && mayStraggle(task) && now - task.startedMillis >= limit.getAsLong()) {
        task.straggled = true;
        invoke(task, task.request.again(ids.nextAttempt()));
      }
    }
  }

  private static boolean mayStraggle(Running task) {
    return task.result == null && !task.futures.isEmpty() && !task.straggled;
  }

  /** How long a task may take until it is a straggler; empty while too few others are done. */
  private OptionalLong stragglerMillis() {
    long[] done =
        tasks.stream()
            .filter(t -> t.result != null)
            .mapToLong(t -> t.tookMillis)
            .sorted()
            .toArray();
    if (settings.stragglerMinMillis() == 0 || done.length == 0 || 2 * done.length < tasks.size()) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(
        Math.max(settings.stragglerMinMillis(), STRAGGLER_FACTOR * done[done.length / 2]));
  }

  /** When a retry is due or a task becomes a straggler; far away if neither can be. */
  long nextLookMillis() {
    OptionalLong limit = stragglerMillis();
    long next = Long.MAX_VALUE;
    for (Running task : tasks) {
      if (task.waitsForRetry()) {
        next = Math.min(next, task.retryAtMillis);
      } else if (limit.isPresent() && mayStraggle(task)) {
        next = Math.min(next, task.startedMillis + limit.getAsLong());
      }
    }
    return next;
  }

  /** The results, in the order of the requests. */
  List<TaskResult> results() {
    return tasks.stream().map(t -> t.result).toList();
  }

  /** Gives up what is still running. */
  void cancel() {
    tasks.forEach(TaskGroup::cancel);
  }

  private static void cancel(Running task) {
    task.futures.forEach(future -> future.cancel(true));
    task.futures.clear();
  }

  private void start(Running task) {
    task.startedMillis = clock.millis();
    task.straggled = false;
    invoke(task, task.request);
  }

  private void invoke(Running task, TaskRequest request) {
    CompletableFuture<TaskResult> future = invoker.invoke(request);
    task.futures.add(future);
    var unused = future.whenComplete((result, failure) -> wake.run());
  }

  /** Takes the first result; a failure counts once nobody else is at work on the task. */
  private void collect(Running task) {
    List<CompletableFuture<TaskResult>> done = new ArrayList<>();
    for (Iterator<CompletableFuture<TaskResult>> all = task.futures.iterator(); all.hasNext(); ) {
      CompletableFuture<TaskResult> future = all.next();
      if (future.isDone()) {
        all.remove();
        done.add(future);
      }
    }
    for (CompletableFuture<TaskResult> future : done) {
      if (task.result == null) {
        collect(task, future);
      }
    }
    if (task.result != null) {
      cancel(task);
    }
  }

  private void collect(Running task, CompletableFuture<TaskResult> future) {
    try {
      TaskResult result = future.join();
      if (!result.task().equals(task.request.task())) {
        throw new TidemillException(
                ErrorCode.INTERNAL, "A function answered with the result of another task.")
            .with("asked", task.request.task().path())
            .with("answered", result.task().path());
      }
      task.tookMillis = clock.millis() - task.startedMillis;
      task.result = result;
    } catch (CompletionException | CancellationException e) {
      retryOrFail(task, e.getCause() == null ? e : e.getCause());
    }
  }

  private void retryOrFail(Running task, Throwable failure) {
    boolean mayPass =
        failure instanceof TidemillException t
            && t.category() == Category.UNAVAILABLE
            && t.code() != ErrorCode.STORAGE_FULL;
    if (mayPass && !task.futures.isEmpty()) {
      return;
    }
    if (!mayPass || task.retries >= settings.taskRetriesMax()) {
      if (failure instanceof TidemillException t) {
        throw t;
      }
      throw new TidemillException(
              ErrorCode.INTERNAL, "A task failed in a way that was not foreseen.", failure)
          .with("task", task.request.task().path());
    }
    task.retryAtMillis = clock.millis() + (settings.retryDelayMillis() << task.retries);
    task.retries++;
    task.request = task.request.again(ids.nextAttempt());
  }
}
