package io.tidemill.protocol.task;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.state.StateVersion;
import java.util.List;
import java.util.Map;

/**
 * One unit of work for a function. Self-contained: with the checkpoint and the plan's fingerprint
 * any instance can run it, any number of times.
 *
 * @param checkpoint location of the query's checkpoint
 * @param planFingerprint the plan the orchestrator runs; an instance with another refuses
 * @param stages stage ids to run, in order: one, or all of them for a small batch
 * @param splits splits to read, for source stages
 * @param shuffles files to read, for a stage behind a shuffle
 * @param buckets the shard, for stages with state
 * @param state version of each stateful operator's state to start from, by stage id
 * @param inlineShuffleBytes rows for later stages up to this size, as a file, go into the result
 *     instead of a blob
 * @param replay true if the task may have run before, so its record is looked for first
 */
public record TaskRequest(
    BatchContext batch,
    TaskId task,
    AttemptId attempt,
    String checkpoint,
    String planFingerprint,
    List<Integer> stages,
    List<SplitAssignment> splits,
    List<ShuffleFile> shuffles,
    Buckets buckets,
    Map<Integer, StateVersion> state,
    int inlineShuffleBytes,
    boolean replay) {

  /** The same task as another try. */
  public TaskRequest withAttempt(AttemptId other) {
    return with(other, replay);
  }

  /** Another try at the same task, which may have run before. */
  public TaskRequest again(AttemptId other) {
    return with(other, true);
  }

  private TaskRequest with(AttemptId otherAttempt, boolean otherReplay) {
    return new TaskRequest(
        batch,
        task,
        otherAttempt,
        checkpoint,
        planFingerprint,
        stages,
        splits,
        shuffles,
        buckets,
        state,
        inlineShuffleBytes,
        otherReplay);
  }
}
