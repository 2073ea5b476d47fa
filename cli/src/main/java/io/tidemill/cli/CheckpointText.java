package io.tidemill.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.checkpoint.CheckpointView;
import io.tidemill.checkpoint.Committed;
import io.tidemill.checkpoint.Head;
import io.tidemill.checkpoint.HistoryEntry;
import io.tidemill.protocol.source.SourcePosition;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** Says in words what a checkpoint holds. */
final class CheckpointText {
  private final StringBuilder text = new StringBuilder();

  private CheckpointText() {}

  /**
   * The text.
   *
   * @param batches how many of the last batches to list
   */
  static String of(CheckpointView view, int batches) {
    CheckpointText result = new CheckpointText();
    result.head(view.head(), view.version());
    result.committed(view.head().committed());
    result.planned(view.head());
    view.state().forEach(result::state);
    result.history(view.history(), batches);
    return result.text.toString();
  }

  private void head(Head head, long version) {
    line("query %s (%s)", head.name(), head.query());
    line("  timeline %s, epoch %s, head version %d", head.timeline(), head.epoch(), version);
    line(
        "  owner      %s",
        head.lease().owner().isEmpty()
            ? "nobody"
            : head.lease().owner()
                + ", lease until "
                + Instant.ofEpochMilli(head.lease().expiresAtMillis()));
  }

  private void committed(Committed committed) {
    line(
        "  committed  %s",
        committed.batch().map(batch -> "batch " + batch.value()).orElse("nothing yet"));
    line("  watermark  %s", committed.next().isNone() ? "none yet" : committed.next().text());
    List<SourcePosition> positions = committed.positions();
    for (int i = 0; i < positions.size(); i++) {
      line("  source %d   at %s", i, positions.get(i).json());
    }
    if (committed.publication().isPresent()) {
      line("  publication of the last batch is not finished; the next run finishes it");
    }
  }

  private void planned(Head head) {
    head.planned()
        .ifPresent(
            batch ->
                line(
                    "  planned    batch %d, %s; the next run runs it as planned",
                    batch.batch().value(),
                    batch.data() ? "with data" : "because the watermark moved"));
  }

  private void state(CheckpointView.OperatorState state) {
    line(
        "  state      stage %d: %,d rows in %,d files, %,d bytes",
        state.stage(), state.rows(), state.files(), state.bytes());
  }

  private void history(List<HistoryEntry> history, int batches) {
    if (history.isEmpty()) {
      return;
    }
    line("  batch  started                    rows read  rows out      millis");
    for (HistoryEntry entry :
        history.subList(Math.max(0, history.size() - batches), history.size())) {
      JsonNode progress = entry.progress();
      line(
          "  %5d  %-24s  %10d  %8d  %10d",
          entry.batch().value(),
          progress.path("timestamp").asText(),
          progress.path("numInputRows").asLong(),
          progress.path("sink").path("numOutputRows").asLong(),
          progress.path("batchDuration").asLong());
    }
  }

  private void line(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
