package io.tidemill.connectors.file;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.source.SourcePosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which files have been read, by reference.
 *
 * @param logOffset batches with files so far, from 0; -1 before the first
 * @param newest modification time of the newest file read, milliseconds since the epoch
 * @param notes notes of the source log that together list the files read: a base and deltas
 * @param readAll hash of a listing of which nothing is left to read; empty if something was left
 */
record FilePosition(long logOffset, long newest, List<String> notes, Optional<String> readAll) {
  static final FilePosition START = new FilePosition(-1, 0, List.of(), Optional.empty());

  FilePosition {
    notes = List.copyOf(notes);
    readAll = readAll == null ? Optional.empty() : readAll;
  }

  static FilePosition of(SourcePosition position) {
    JsonNode json = position.json();
    if (!json.isObject() || !json.path("notes").isArray()) {
      throw new TidemillException(
              ErrorCode.CHECKPOINT_MISMATCH,
              "The checkpoint has a position that is none of a file source: it belongs to another"
                  + " query.")
          .with("position", json);
    }
    return Json.read(json.toString(), FilePosition.class);
  }

  SourcePosition position() {
    return new SourcePosition(Json.tree(this));
  }

  /** The position after a batch with one more note, or with one note for all. */
  FilePosition next(String note, boolean replacesAll, long newestRead) {
    List<String> all = new ArrayList<>(replacesAll ? List.of() : notes);
    all.add(note);
    return new FilePosition(logOffset + 1, Math.max(newest, newestRead), all, Optional.empty());
  }

  /** The same position, of which it is known that it leaves nothing of a listing. */
  FilePosition afterAllOf(String listingHash) {
    return new FilePosition(logOffset, newest, notes, Optional.of(listingHash));
  }
}
