package io.tidemill.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.Epoch;
import io.tidemill.protocol.Ids;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.QueryId;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.source.SourcePosition;
import io.tidemill.protocol.source.SourceSplit;
import io.tidemill.protocol.state.StateFile;
import io.tidemill.protocol.state.StateSegment;
import io.tidemill.protocol.state.StateVersion;
import io.tidemill.protocol.task.TaskId;
import io.tidemill.protocol.task.TaskResult;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Heads and their parts for tests. */
final class Heads {
  static final PlanIdentity PLAN = new PlanIdentity("f1", Map.of("output mode", "append"));
  static final SharedSettings SETTINGS = SharedSettings.of("min");

  private Heads() {}

  static Ids ids(String prefix) {
    return new Ids() {
      private int count;

      @Override
      public String next() {
        return prefix + "-" + count++;
      }
    };
  }

  static Opening opening(String owner, InstantSource clock) {
    return new Opening(
        "orders", PLAN, SETTINGS, owner, OwnerProbe.UNKNOWN, false, 60_000, clock, ids(owner));
  }

  static JsonNode json(String text) {
    return Json.read(text, JsonNode.class);
  }

  static SourcePosition position(long value) {
    return new SourcePosition(json("{\"orders\":{\"0\":" + value + "}}"));
  }

  static StateFile file(String key, long batch) {
    return new StateFile(key, Buckets.ALL, batch == 0, 10, 100, 7, batch);
  }

  static StateVersion state(StateFile... files) {
    return new StateVersion(
        List.of(new StateSegment(Buckets.ALL, List.of(files), 10)), Watermark.NONE, List.of());
  }

  /** A head with a batch committed, and nothing else. */
  static Head committed(long batch, Map<Integer, StateVersion> state) {
    Committed committed =
        new Committed(
            Optional.of(new BatchId(batch)),
            List.of(position(batch)),
            List.of(new InputActivity(Optional.of(5L), 6)),
            Watermark.NONE,
            Watermark.ofMillis(3),
            state,
            Optional.empty());
    return head(committed, Optional.empty(), List.of());
  }

  /** A head with every part filled. */
  static Head full() {
    TaskId task = new TaskId(Timeline.FIRST, new BatchId(4), 1, 2);
    Committed committed =
        new Committed(
            Optional.of(new BatchId(4)),
            List.of(position(23)),
            List.of(new InputActivity(Optional.empty(), 17)),
            Watermark.ofMillis(-5),
            Watermark.ofMillis(1_000),
            Map.of(
                1,
                new StateVersion(
                    List.of(
                        new StateSegment(new Buckets(0, 512), List.of(file("state/a", 0)), 3),
                        new StateSegment(new Buckets(512, 1024), List.of(), 0)),
                    Watermark.ofMillis(-5),
                    List.of(new StateVersion.ObsoleteFile("state/b", 3)))),
            Optional.of(
                new Publication(
                    List.of(new Publication.Output(task, 0, json("{\"file\":\"x\"}"))))));
    PlannedBatch planned =
        new PlannedBatch(
            new BatchId(5),
            true,
            List.of(
                new PlannedSource(
                    position(23),
                    position(30),
                    List.of(new SourceSplit(json("{\"from\":23,\"to\":30}"), 7)),
                    7)),
            Watermark.ofMillis(-5),
            Watermark.ofMillis(1_000),
            99,
            42,
            BatchLayout.perStage(Map.of(0, List.of(List.of(0)))));
    return head(
        committed,
        Optional.of(planned),
        List.of(new HistoryEntry(Timeline.FIRST, new BatchId(4), json("{\"rows\":1}"))));
  }

  static Head head(Committed committed, Optional<PlannedBatch> planned, List<HistoryEntry> recent) {
    return new Head(
        new QueryId("q"),
        "orders",
        PLAN,
        SETTINGS,
        Timeline.FIRST,
        new Epoch(3),
        new Lease("someone", 12),
        committed,
        planned,
        recent);
  }

  static TaskResult result(TaskId task, String attempt) {
    return new TaskResult(
        task, new AttemptId(attempt), List.of(), List.of(), List.of(), List.of(), List.of(), 5, 1);
  }
}
