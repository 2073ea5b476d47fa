package io.tidemill.function;

import io.tidemill.checkpoint.HeadStore;
import io.tidemill.checkpoint.TaskRecords;
import io.tidemill.protocol.error.Category;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.task.TaskId;
import io.tidemill.protocol.task.TaskResult;
import java.util.Optional;

/**
 * Tells attempts that failed because they came too late from those that found something wrong. What
 * a task reads may be deleted once its batch is committed: rows between stages at once, state and
 * files of sources later. A message that was delivered twice, or a function that slept, then finds
 * nothing, and that is no damage.
 */
final class LateAttempts {
  private final TaskRecords records;
  private final HeadStore heads;

  LateAttempts(TaskRecords records, HeadStore heads) {
    this.records = records;
    this.heads = heads;
  }

  /**
   * The recorded result of a task that an attempt failed at. Costs a read of the record, and one of
   * the head if there is no record. Errors: {@code STALE_ATTEMPT} if there is no record any more
   * and the batch is committed, else the failure itself.
   */
  TaskResult instead(TaskId task, TidemillException failure) {
    if (failure.category() == Category.UNAVAILABLE) {
      throw failure;
    }
    Optional<TaskResult> recorded;
    boolean late;
    try {
      recorded = records.read(task);
      late = recorded.isPresent() || isPast(task);
    } catch (TidemillException e) {
      failure.addSuppressed(e);
      throw failure;
    }
    if (!late) {
      throw failure;
    }
    return recorded.orElseThrow(
        () ->
            new TidemillException(
                    ErrorCode.STALE_ATTEMPT,
                    "An attempt at a task came after its batch was committed, when what it reads"
                        + " was deleted. It counts for nothing, and nothing is to be done.",
                    failure)
                .with("task", task.path()));
  }

  private boolean isPast(TaskId task) {
    return heads.read().map(s -> s.head().isPast(task.timeline(), task.batch())).orElse(false);
  }
}
