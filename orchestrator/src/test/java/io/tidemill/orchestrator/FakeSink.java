package io.tidemill.orchestrator;

import io.tidemill.connectors.SinkPublisher;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Remembers what is published, each batch once. */
final class FakeSink implements SinkPublisher {
  final TreeMap<Long, List<String>> batches = new TreeMap<>();
  final List<Long> calls = new ArrayList<>();
  boolean broken;
  boolean writable = true;
  int opened;

  void open() {
    opened++;
    if (!writable) {
      throw new TidemillException(ErrorCode.NOT_WRITABLE, "The sink cannot be written.");
    }
  }

  @Override
  public void publish(Timeline timeline, BatchId batch, OutputMode mode, List<Staged> outputs) {
    calls.add(batch.value());
    if (broken) {
      throw new TidemillException(ErrorCode.SINK_UNAVAILABLE, "The sink is away.");
    }
    batches.putIfAbsent(batch.value(), outputs.stream().map(o -> o.output().toString()).toList());
  }

  @Override
  public void close() {}
}
