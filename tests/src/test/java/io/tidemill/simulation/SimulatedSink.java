package io.tidemill.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.connectors.SinkPublisher;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A sink that keeps each batch once, as an exactly-once target does. Shared by all runs. */
final class SimulatedSink implements SinkPublisher {
  private final Map<Long, List<String>> batches = new TreeMap<>();
  private final Chance chance;
  private final Trace trace;
  private Truth truth;

  SimulatedSink(Chance chance, Trace trace) {
    this.chance = chance;
    this.trace = trace;
  }

  void watchedBy(Truth truth) {
    this.truth = truth;
  }

  Map<Long, List<String>> batches() {
    return batches;
  }

  @Override
  public void publish(Timeline timeline, BatchId batch, OutputMode mode, List<Staged> outputs) {
    fail("before publishing");
    List<String> lines = new ArrayList<>();
    for (Staged staged : outputs) {
      for (JsonNode line : staged.output()) {
        lines.add(line.asText());
      }
    }
    lines.sort(null);
    truth.onPublish(batch.value(), lines);
    boolean first = batches.putIfAbsent(batch.value(), lines) == null;
    trace.add("publish", batch, first ? "" : "again");
    fail("after publishing");
  }

  private void fail(String when) {
    if (chance.isCalm()) {
      return;
    }
    if (chance.oneIn(60)) {
      throw new Death();
    }
    if (chance.oneIn(60)) {
      throw new TidemillException(ErrorCode.SINK_UNAVAILABLE, "The sink was made to fail.")
          .with("when", when);
    }
  }

  @Override
  public void close() {}
}
