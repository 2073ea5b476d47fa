package io.tidemill.protocol.task;

import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/**
 * Rows that one task hands to the stage behind it, sorted by bucket.
 *
 * @param toStage the stage that reads it
 * @param key blob key below the checkpoint
 * @param types columns that the file keeps as another type, with their own type
 * @param inline the file's bytes in Base64 if they travel here; there is no blob then
 */
public record ShuffleFile(
    int toStage,
    String key,
    long rows,
    long bytes,
    long checksum,
    Map<String, String> types,
    Optional<String> inline) {
  public ShuffleFile {
    types = types == null ? Map.of() : Map.copyOf(types);
    inline = inline == null ? Optional.empty() : inline;
  }

  /** The same file, travelling in messages. */
  public ShuffleFile withInline(byte[] content) {
    return new ShuffleFile(
        toStage,
        key,
        rows,
        bytes,
        checksum,
        types,
        Optional.of(Base64.getEncoder().encodeToString(content)));
  }

  /** The bytes, if they travel here. */
  public Optional<byte[]> content() {
    return inline.map(Base64.getDecoder()::decode);
  }

  /** A file whose columns come back as they were written. */
  public ShuffleFile(int toStage, String key, long rows, long bytes, long checksum) {
    this(toStage, key, rows, bytes, checksum, Map.of(), Optional.empty());
  }
}
