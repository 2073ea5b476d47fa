package io.tidemill.orchestrator;

import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.protocol.task.TaskResult;
import java.util.concurrent.CompletableFuture;

/**
 * Hands tasks to functions. Any invocation may be lost, late or run twice; task records make that
 * harmless. Thread-safe.
 */
public interface Invoker extends AutoCloseable {
  /**
   * Starts a task and returns at once. Completes with the task's result, which may be that of
   * another attempt, or exceptionally with a {@code TidemillException}. It must complete in the
   * end: a reply that does not come is {@code UNAVAILABLE} after a time the invoker knows.
   *
   * <p>The orchestrator cancels the future of a task it no longer needs; the invoker may then stop
   * the task, and need not.
   */
  CompletableFuture<TaskResult> invoke(TaskRequest request);

  /** How many tasks can run side by side; at least 1. */
  int parallelism();

  @Override
  void close();
}
