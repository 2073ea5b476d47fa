package io.tidemill.lambda.task;

import io.tidemill.function.TaskRunner;
import io.tidemill.lambda.message.Failure;
import io.tidemill.lambda.message.JobReference;
import io.tidemill.lambda.message.TaskAnswer;
import io.tidemill.lambda.message.TaskEvent;
import io.tidemill.lambda.platform.Platform;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.protocol.task.TaskResult;
import io.tidemill.storage.Store;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks, one at a time, of any query of the deployment. Keeps the runners of the queries it
 * served last, with their connections and the state they saw. Used by one thread.
 */
public final class TaskFunction {
  private static final Logger LOG = LoggerFactory.getLogger(TaskFunction.class);

  /** Queries whose runners are kept. */
  private static final int WARM_QUERIES_MAX = 4;

  /** Lambda takes 6 MB; the rest is for what surrounds the result. */
  private static final int ANSWER_BYTES_MAX = 5 * 1024 * 1024;

  private final Platform platform;
  private final Map<Warm, Runner> runners = new LinkedHashMap<>(16, 0.75f, true);
  private int opened;
  private long runs;

  private record Warm(JobReference job, String checkpoint) {}

  private record Runner(TaskRunner tasks, Store checkpoint) implements AutoCloseable {
    @Override
    public void close() {
      try {
        tasks.close();
      } finally {
        checkpoint.close();
      }
    }
  }

  public TaskFunction(Platform platform) {
    this.platform = platform;
  }

  /**
   * Runs the task of an event.
   *
   * @param event a {@link TaskEvent} as JSON
   * @return a {@link TaskAnswer} as JSON; errors are answers too
   */
  public byte[] handle(byte[] event) {
    TaskEvent task;
    try {
      task = Json.read(event, TaskEvent.class);
    } catch (TidemillException e) {
      return failed(e);
    }
    long started = platform.clock().millis();
    long throttled = platform.clients().calls().throttled();
    boolean cold = runs++ == 0;
    try {
      TaskResult result =
          platform.references().withCurrentValues(() -> run(task), () -> closeRunners(task.job()));
      byte[] answer = Json.bytes(TaskAnswer.of(result));
      report(task, started, throttled, cold, 0);
      return answer.length <= ANSWER_BYTES_MAX ? answer : Json.bytes(TaskAnswer.RECORDED);
    } catch (RuntimeException e) {
      boolean late = e instanceof TidemillException t && t.code() == ErrorCode.STALE_ATTEMPT;
      report(task, started, throttled, cold, late ? 0 : 1);
      if (!late) {
        startAnew(task.job());
      }
      return failed(e);
    }
  }

  private byte[] failed(RuntimeException error) {
    Failure failure = Failure.of(error, platform.references()::redact);
    if (failure.code().equals(ErrorCode.STALE_ATTEMPT.name())) {
      LOG.info("A task came too late: {}", Json.write(failure));
    } else {
      LOG.warn("A task failed: {}", Json.write(failure));
    }
    return Json.bytes(TaskAnswer.failed(failure));
  }

  private void report(
      TaskEvent task, long startedMillis, long throttledBefore, boolean cold, long failed) {
    Map<String, Long> values = new HashMap<>();
    values.put("Tasks", 1L);
    values.put("TasksFailed", failed);
    values.put("TaskMillis", platform.clock().millis() - startedMillis);
    values.put("ColdTasks", cold ? 1L : 0L);
    long throttled = platform.clients().calls().throttled() - throttledBefore;
    if (throttled > 0) {
      values.put("StorageThrottles", throttled);
    }
    platform.metrics().write(task.job().query(), values);
  }

  /** A connection may be broken, or a secret have been rotated: the next task opens all anew. */
  private void startAnew(JobReference job) {
    platform.references().forget();
    closeRunners(job);
  }

  private void closeRunners(JobReference job) {
    for (Iterator<Map.Entry<Warm, Runner>> all = runners.entrySet().iterator(); all.hasNext(); ) {
      Map.Entry<Warm, Runner> runner = all.next();
      if (runner.getKey().job().equals(job)) {
        all.remove();
        runner.getValue().close();
      }
    }
  }

  private TaskResult run(TaskEvent event) {
    TaskRequest request = event.request().orElseGet(() -> stored(event.stored().orElseThrow()));
    return runner(new Warm(event.job(), request.checkpoint())).tasks().run(ownAttempt(request));
  }

  /** Lambda may deliver an event twice, and two executions must not write under the same names. */
  private TaskRequest ownAttempt(TaskRequest request) {
    return request.withAttempt(platform.ids().nextAttempt());
  }

  private TaskRequest stored(TaskEvent.StoredRequest stored) {
    try (Store checkpoint = platform.locations().store(stored.checkpoint())) {
      byte[] bytes =
          checkpoint
              .blob()
              .get(stored.key())
              .orElseThrow(
                  () ->
                      new TidemillException(
                              ErrorCode.STORAGE_UNAVAILABLE, "The request of a task is missing.")
                          .with("key", stored.key()));
      return Json.read(bytes, TaskRequest.class);
    }
  }

  private Runner runner(Warm key) {
    Runner warm = runners.get(key);
    if (warm != null) {
      return warm;
    }
    makeRoom();
    Store checkpoint = platform.locations().store(key.checkpoint());
    try {
      Runner fresh =
          new Runner(
              new TaskRunner(
                  platform.jobs().plan(key.job()),
                  platform.connectors(),
                  checkpoint,
                  platform.ids(),
                  platform.scratch().resolve("task-" + opened++),
                  platform.functions()),
              checkpoint);
      runners.put(key, fresh);
      return fresh;
    } catch (RuntimeException e) {
      checkpoint.close();
      throw e;
    }
  }

  private void makeRoom() {
    Iterator<Runner> oldestFirst = runners.values().iterator();
    while (runners.size() >= WARM_QUERIES_MAX && oldestFirst.hasNext()) {
      Runner oldest = oldestFirst.next();
      oldestFirst.remove();
      oldest.close();
    }
  }
}
