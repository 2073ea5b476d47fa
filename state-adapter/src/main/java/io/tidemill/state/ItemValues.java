package io.tidemill.state;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.task.TaskId;
import io.tidemill.storage.Blob;
import io.tidemill.storage.Checksum;
import io.tidemill.storage.Items;
import io.tidemill.storage.Settled;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * Values of items: a JSON array of the columns' texts, or, if that is too large for an item, a JSON
 * object that says in which blob it is.
 */
final class ItemValues {
  /** Where the blobs are; the name of the partition follows. */
  static final String FOLDER = "items/";

  private final Blob blob;
  private final int bytesMax;

  /**
   * @param bytesMax of a value in an item
   */
  ItemValues(Blob blob, int bytesMax) {
    this.blob = blob;
    this.bytesMax = bytesMax;
  }

  private record Reference(String object, int bytes, long crc32c) {}

  /** What to write into the item; writes the blob first, if there has to be one. */
  String stored(String row, Items.Key key, TaskId task, AttemptId attempt) {
    // No character takes more than three bytes.
    if (row.length() <= bytesMax / 3) {
      return row;
    }
    byte[] bytes = row.getBytes(StandardCharsets.UTF_8);
    if (bytes.length <= bytesMax) {
      return row;
    }
    String object =
        String.format(
            Locale.ROOT,
            FOLDER + "%s/%s/%010d/%s-%s.json",
            key.partition(),
            task.timeline(),
            task.batch().value(),
            key.sort(),
            attempt);
    if (!Settled.putIfAbsent(blob, object, bytes)) {
      throw new TidemillException(
              ErrorCode.STORAGE_UNAVAILABLE,
              "Another run of the same attempt has already written its state. Run the task again,"
                  + " as a new attempt.")
          .with("key", object);
    }
    return Json.write(new Reference(object, bytes.length, Checksum.of(bytes)));
  }

  /** The texts of the columns. */
  String[] columns(String stored) {
    Optional<Reference> reference = reference(stored);
    if (reference.isEmpty()) {
      return Json.read(stored, String[].class);
    }
    byte[] bytes = blob.get(reference.get().object()).orElse(new byte[0]);
    if (bytes.length != reference.get().bytes() || Checksum.of(bytes) != reference.get().crc32c()) {
      throw new TidemillException(
              ErrorCode.STATE_CORRUPT,
              "A large value of the state is missing or is not what was written. Restore it from a"
                  + " copy of the checkpoint.")
          .with("key", reference.get().object())
          .with("location", blob.location());
    }
    return Json.read(bytes, String[].class);
  }

  /** Removes the blob of a value that no item names any more, if it has one. */
  void forget(String stored) {
    reference(stored).ifPresent(reference -> blob.delete(reference.object()));
  }

  /** The key of the blob of a value, if it has one. */
  static Optional<String> object(String stored) {
    return reference(stored).map(Reference::object);
  }

  private static Optional<Reference> reference(String stored) {
    return stored.startsWith("{")
        ? Optional.of(Json.read(stored, Reference.class))
        : Optional.empty();
  }
}
