package io.tidemill.state;

import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.QueryId;
import io.tidemill.protocol.state.StateVersion;
import io.tidemill.protocol.task.TaskId;

/**
 * Which part of a query's keyed state a task works on.
 *
 * @param operator id of the stage whose state it is
 * @param shard of the task
 * @param version of the operator's state before the task's batch
 */
public record StatePlace(
    QueryId query, TaskId task, int operator, Buckets shard, StateVersion version) {
  long batch() {
    return task.batch().value();
  }
}
