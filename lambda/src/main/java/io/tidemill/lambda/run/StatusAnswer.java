package io.tidemill.lambda.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.checkpoint.Head;
import io.tidemill.checkpoint.HistoryEntry;
import io.tidemill.checkpoint.StoredHead;
import io.tidemill.protocol.source.SourcePosition;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a query's checkpoint holds.
 *
 * @param known false if the query has never run
 * @param batch the last one committed
 * @param owner who holds the lease; empty for nobody
 * @param leaseExpires ISO 8601
 * @param positions per source, up to where it is read
 * @param planned the batch to run next, if it is fixed
 * @param recent progress of the newest batches, oldest first
 */
record StatusAnswer(
    String query,
    boolean known,
    Optional<Long> batch,
    Optional<Long> epoch,
    String owner,
    Optional<String> leaseExpires,
    List<JsonNode> positions,
    Optional<String> watermark,
    Optional<Long> planned,
    List<JsonNode> recent) {

  static StatusAnswer of(String query, Optional<StoredHead> stored) {
    return stored
        .map(s -> of(query, s.head()))
        .orElseGet(
            () ->
                new StatusAnswer(
                    query,
                    false,
                    Optional.empty(),
                    Optional.empty(),
                    "",
                    Optional.empty(),
                    List.of(),
                    Optional.empty(),
                    Optional.empty(),
                    List.of()));
  }

  private static StatusAnswer of(String query, Head head) {
    boolean owned = !head.lease().owner().isEmpty();
    return new StatusAnswer(
        query,
        true,
        head.committed().batch().map(batch -> batch.value()),
        Optional.of(head.epoch().value()),
        head.lease().owner(),
        owned
            ? Optional.of(Instant.ofEpochMilli(head.lease().expiresAtMillis()).toString())
            : Optional.empty(),
        head.committed().positions().stream().map(SourcePosition::json).toList(),
        head.committed().next().isNone()
            ? Optional.empty()
            : Optional.of(head.committed().next().text()),
        head.planned().map(batch -> batch.batch().value()),
        head.recent().stream().map(HistoryEntry::progress).toList());
  }
}
