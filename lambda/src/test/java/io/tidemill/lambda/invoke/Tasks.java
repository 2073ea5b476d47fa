package io.tidemill.lambda.invoke;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.Epoch;
import io.tidemill.protocol.QueryId;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.task.BatchContext;
import io.tidemill.protocol.task.TaskId;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.protocol.task.TaskResult;
import java.util.List;
import java.util.Map;

/** Requests and results for tests. */
final class Tasks {
  private Tasks() {}

  static TaskRequest request(int part) {
    BatchContext batch =
        new BatchContext(
            new QueryId("q"),
            Timeline.FIRST,
            Epoch.FIRST,
            new BatchId(3),
            1_000,
            7,
            Watermark.NONE,
            Watermark.NONE);
    return new TaskRequest(
        batch,
        new TaskId(Timeline.FIRST, new BatchId(3), 0, part),
        new AttemptId("attempt-" + part),
        "memory",
        "fingerprint",
        List.of(0),
        List.of(),
        List.of(),
        Buckets.ALL,
        Map.of(),
        0,
        false);
  }

  static TaskResult result(TaskRequest request) {
    return new TaskResult(
        request.task(),
        request.attempt(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        5,
        1);
  }
}
