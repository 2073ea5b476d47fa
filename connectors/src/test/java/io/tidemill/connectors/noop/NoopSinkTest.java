package io.tidemill.connectors.noop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.connectors.testing.Folder;
import io.tidemill.connectors.testing.SinkHarness;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.schema.Schema;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NoopSinkTest {
  @TempDir Path temp;

  @Test
  void rowsLeaveNoTrace() {
    NoopSinkConnector noop = new NoopSinkConnector();
    try (SinkHarness sink = new SinkHarness(temp, noop, Schema.of("k", "VARCHAR"), Map.of(), "q")) {
      assertThat(sink.write("VALUES ('a')", SinkHarness.task(0, 0), "x")).isEmpty();
      sink.publisher().publish(Timeline.FIRST, new BatchId(0), OutputMode.COMPLETE, List.of());
    }
    assertThat(Folder.files(temp.resolve("checkpoint"))).isEmpty();
    assertThat(noop.modes()).contains(OutputMode.values());
  }
}
