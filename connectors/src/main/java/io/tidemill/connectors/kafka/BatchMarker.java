package io.tidemill.connectors.kafka;

import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Timeline;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/**
 * Says in a consumer group which batch was sent last. Its offset is the batch's number plus one, so
 * that Kafka's own tools show progress; the metadata is {@code timeline/batch}.
 */
record BatchMarker(Timeline timeline, BatchId batch) implements Comparable<BatchMarker> {
  private static final Comparator<BatchMarker> ORDER =
      Comparator.comparing(BatchMarker::timeline).thenComparing(BatchMarker::batch);
  private static final Pattern TEXT = Pattern.compile("(\\d{1,18})/(\\d{1,18})");

  static BatchMarker of(String timeline, String batch) {
    return new BatchMarker(
        new Timeline(Long.parseLong(timeline)), new BatchId(Long.parseLong(batch)));
  }

  /** The marker in a committed offset, or empty if somebody else committed it. */
  static Optional<BatchMarker> of(OffsetAndMetadata committed) {
    Matcher text = TEXT.matcher(committed.metadata());
    return text.matches() ? Optional.of(of(text.group(1), text.group(2))) : Optional.empty();
  }

  OffsetAndMetadata committed() {
    return new OffsetAndMetadata(batch.value() + 1, timeline + "/" + batch);
  }

  @Override
  public int compareTo(BatchMarker other) {
    return ORDER.compare(this, other);
  }
}
