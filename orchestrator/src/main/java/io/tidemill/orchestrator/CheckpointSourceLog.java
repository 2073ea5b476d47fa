package io.tidemill.orchestrator;

import io.tidemill.checkpoint.CheckpointKeys;
import io.tidemill.connectors.SourceLog;
import io.tidemill.protocol.Ids;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.Blob;
import io.tidemill.storage.Checksum;
import io.tidemill.storage.Settled;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Notes of a source as blobs of the checkpoint, under fresh names that end in the checksum of what
 * was written.
 */
final class CheckpointSourceLog implements SourceLog {
  private static final int PAGE = 1_000;
  private static final Pattern NAME = Pattern.compile("\\d{10,18}-.+");

  private final Blob blob;
  private final Ids ids;
  private final String folder;

  CheckpointSourceLog(Blob blob, Ids ids, int source) {
    this.blob = blob;
    this.ids = ids;
    this.folder = CheckpointKeys.sourceFolder(source);
  }

  @Override
  public String write(long number, byte[] note) {
    String name =
        String.format(Locale.ROOT, "%010d-", number) + ids.nextAttempt().value() + checksum(note);
    if (!Settled.putIfAbsent(blob, folder + name, note)) {
      throw new TidemillException(
              ErrorCode.INTERNAL, "An attempt id was used twice, so a note could not be stored.")
          .with("key", folder + name);
    }
    return name;
  }

  @Override
  public Optional<byte[]> read(String name) {
    Optional<byte[]> note = blob.get(folder + name);
    if (note.isPresent() && !name.endsWith(checksum(note.get()))) {
      throw new TidemillException(
              ErrorCode.CHECKPOINT_CORRUPT,
              "A note of a source is damaged: it is not what was written. Restore it from a copy of"
                  + " the checkpoint.")
          .with("object", folder + name)
          .with("checkpoint", blob.location());
    }
    return note;
  }

  @Override
  public List<String> upTo(long number) {
    List<String> names = new ArrayList<>();
    List<String> page = blob.list(folder, "", PAGE);
    while (!page.isEmpty()) {
      page.stream()
          .map(key -> key.substring(folder.length()))
          .filter(name -> NAME.matcher(name).matches())
          .filter(name -> Long.parseLong(name.substring(0, name.indexOf('-'))) <= number)
          .forEach(names::add);
      page = page.size() < PAGE ? List.of() : blob.list(folder, page.get(PAGE - 1), PAGE);
    }
    return names;
  }

  private static String checksum(byte[] note) {
    return String.format(Locale.ROOT, "-%08x", Checksum.of(note));
  }

  @Override
  public void delete(String name) {
    blob.delete(folder + name);
  }
}
