package io.tidemill.orchestrator;

import io.tidemill.protocol.Ids;
import io.tidemill.protocol.error.Category;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.protocol.task.TaskResult;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Tasks that run side by side. A task that fails because something outside did not answer is tried
 * again with a new attempt, a bounded number of times; any other failure fails the group. Used by
 * one thread.
 */
final class TaskGroup {
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
    CompletableFuture<TaskResult> future;
    TaskResult result;
    int retries;
    long retryAtMillis;

    Running(TaskRequest request) {
      this.request = request;
    }
  }

  /** Looks at what is done and starts retries that are due; true if all tasks have results. */
  boolean poll() {
    boolean all = true;
    for (Running task : tasks) {
      if (task.result == null && task.future == null && clock.millis() >= task.retryAtMillis) {
        start(task);
      }
      if (task.result == null && task.future != null && task.future.isDone()) {
        collect(task);
      }
      all &= task.result != null;
    }
    return all;
  }

  /** When a retry is due; far away if none is. */
  long retryAtMillis() {
    return tasks.stream()
        .filter(t -> t.result == null && t.future == null)
        .mapToLong(t -> t.retryAtMillis)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /** The results, in the order of the requests. */
  List<TaskResult> results() {
    return tasks.stream().map(t -> t.result).toList();
  }

  /** Gives up what is still running. */
  void cancel() {
    for (Running task : tasks) {
      if (task.future != null) {
        task.future.cancel(true);
      }
    }
  }

  private void start(Running task) {
    task.future = invoker.invoke(task.request);
    var unused = task.future.whenComplete((result, failure) -> wake.run());
  }

  private void collect(Running task) {
    try {
      TaskResult result = task.future.join();
      if (!result.task().equals(task.request.task())) {
        throw new TidemillException(
                ErrorCode.INTERNAL, "A function answered with the result of another task.")
            .with("asked", task.request.task().path())
            .with("answered", result.task().path());
      }
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
    if (!mayPass || task.retries >= settings.taskRetriesMax()) {
      if (failure instanceof TidemillException t) {
        throw t;
      }
      throw new TidemillException(
              ErrorCode.INTERNAL, "A task failed in a way that was not foreseen.", failure)
          .with("task", task.request.task().path());
    }
    task.future = null;
    task.retryAtMillis = clock.millis() + (settings.retryDelayMillis() << task.retries);
    task.retries++;
    task.request = task.request.again(ids.nextAttempt());
  }
}
