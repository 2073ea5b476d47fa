package io.tidemill.local;

import io.tidemill.function.TaskRunner;
import io.tidemill.orchestrator.Invoker;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.protocol.task.TaskResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * Functions as threads: each thread is one instance with a DuckDB of its own, started at its first
 * task. A task's part decides its instance, so that a shard finds its state where it left it.
 */
public final class InProcessInvoker implements Invoker {
  /** How long closing waits for a running task. */
  private static final int CLOSE_WAIT_SECONDS = 30;

  private final List<Instance> instances = new ArrayList<>();

  /**
   * @param parallelism number of instances
   * @param runners opens the runner of an instance
   */
  public InProcessInvoker(int parallelism, IntFunction<TaskRunner> runners) {
    if (parallelism < 1) {
      throw new IllegalArgumentException("at least one instance is needed");
    }
    for (int i = 0; i < parallelism; i++) {
      instances.add(new Instance(i, runners));
    }
  }

  @Override
  public CompletableFuture<TaskResult> invoke(TaskRequest request) {
    return instances.get(request.task().part() % instances.size()).invoke(request);
  }

  @Override
  public int parallelism() {
    return instances.size();
  }

  @Override
  public void close() {
    instances.forEach(Instance::close);
  }

  private static final class Instance {
    private final ExecutorService thread;
    private final int number;
    private final IntFunction<TaskRunner> runners;
    private TaskRunner runner;

    Instance(int number, IntFunction<TaskRunner> runners) {
      this.number = number;
      this.runners = runners;
      this.thread =
          Executors.newSingleThreadExecutor(
              task -> {
                Thread t = new Thread(task, "function-" + number);
                t.setDaemon(true);
                return t;
              });
    }

    CompletableFuture<TaskResult> invoke(TaskRequest request) {
      return CompletableFuture.supplyAsync(() -> run(request), thread);
    }

    private TaskResult run(TaskRequest request) {
      if (runner == null) {
        runner = runners.apply(number);
      }
      return runner.run(request);
    }

    void close() {
      thread.execute(
          () -> {
            if (runner != null) {
              runner.close();
            }
          });
      thread.shutdown();
      try {
        if (!thread.awaitTermination(CLOSE_WAIT_SECONDS, TimeUnit.SECONDS)) {
          thread.shutdownNow();
        }
      } catch (InterruptedException e) {
        thread.shutdownNow();
        Thread.currentThread().interrupt();
      }
    }
  }
}
