package io.tidemill.connectors.file;

import io.tidemill.connectors.SourceLog;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The files read up to a position, kept as notes in the source log: a delta per batch, and every
 * {@value #COMPACT_EVERY} batches a base that lists all, without those too old to be read again.
 * Not thread-safe.
 */
final class SeenFiles {
  /** Batches between two bases. */
  static final int COMPACT_EVERY = 10;

  /** Batches for which notes stay after a base replaced them, so that a rewind finds them. */
  static final int RETAINED_BATCHES = 100;

  private final SourceLog log;
  private final FileSourceOptions options;

  /** What is loaded now, so that going on from batch to batch reads one note each. */
  private List<String> loaded = List.of();

  private final Map<String, Long> files = new HashMap<>();
  private final Set<String> identities = new HashSet<>();

  /** The note written last; it is the next to be read. */
  private String lastWritten = "";

  /** The base whose replaced notes were removed last. */
  private String lastForgottenBy = "";

  private Note lastNote = new Note(Map.of(), List.of());

  /**
   * @param files modification time by path
   * @param replaced notes that this one and earlier bases made superfluous, and that are still kept
   */
  record Note(Map<String, Long> files, List<Replaced> replaced) {}

  /** A note and the batch whose base replaced it. */
  record Replaced(String note, long logOffset) {}

  SeenFiles(SourceLog log, FileSourceOptions options) {
    this.log = log;
    this.options = options;
  }

  /** Modification times by path of the files read up to the position. */
  Map<String, Long> upTo(FilePosition position) {
    load(position);
    return files;
  }

  /** True if the file is new at the position. */
  boolean isNew(FoundFile file, FilePosition position) {
    load(position);
    boolean tooOld = options.agesOut() && file.modifiedMillis() < oldest(position);
    return !tooOld && !identities.contains(identity(file.path()));
  }

  /** Notes down that files were read, and returns the position behind them. */
  FilePosition add(FilePosition from, List<FoundFile> read) {
    Map<String, Long> added = new TreeMap<>();
    read.forEach(f -> added.put(f.path(), f.modifiedMillis()));
    long newest = read.stream().mapToLong(FoundFile::modifiedMillis).max().orElse(0);
    boolean compacts = (from.logOffset() + 2) % COMPACT_EVERY == 0;
    Note note = compacts ? base(from, added) : new Note(added, List.of());
    lastWritten = log.write(from.logOffset() + 1, Json.bytes(note));
    lastNote = note;
    return from.next(lastWritten, compacts, newest);
  }

  private Note base(FilePosition from, Map<String, Long> added) {
    load(from);
    Map<String, Long> all = new TreeMap<>();
    files.forEach(
        (path, modified) -> {
          if (!options.agesOut() || modified >= oldest(from)) {
            all.put(path, modified);
          }
        });
    all.putAll(added);
    long now = from.logOffset() + 1;
    List<Replaced> replaced = new ArrayList<>();
    if (!from.notes().isEmpty()) {
      note(from.notes().get(0)).replaced().stream()
          .filter(r -> r.logOffset() + RETAINED_BATCHES > now)
          .forEach(replaced::add);
    }
    from.notes().forEach(n -> replaced.add(new Replaced(n, now)));
    return new Note(all, replaced);
  }

  /**
   * Removes notes that a base replaced long before the position, and those of plans that came to
   * nothing: whatever was written up to the position and nobody refers to. Idempotent.
   */
  void forgetBefore(FilePosition position) {
    if (position.notes().isEmpty() || position.notes().get(0).equals(lastForgottenBy)) {
      return;
    }
    lastForgottenBy = position.notes().get(0);
    Set<String> needed = new HashSet<>(position.notes());
    note(lastForgottenBy).replaced().stream()
        .filter(r -> r.logOffset() + RETAINED_BATCHES > position.logOffset())
        .forEach(r -> needed.add(r.note()));
    for (String name : log.upTo(position.logOffset())) {
      if (!needed.contains(name)) {
        log.delete(name);
      }
    }
  }

  private long oldest(FilePosition position) {
    return position.newest() - options.maxFileAge().toMillis();
  }

  private String identity(String path) {
    return options.fileNameOnly() ? path.substring(path.lastIndexOf('/') + 1) : path;
  }

  private void load(FilePosition position) {
    List<String> notes = position.notes();
    if (notes.equals(loaded)) {
      return;
    }
    boolean goesOn = notes.size() > loaded.size() && notes.subList(0, loaded.size()).equals(loaded);
    if (!goesOn) {
      files.clear();
      identities.clear();
      loaded = List.of();
    }
    for (String name : notes.subList(loaded.size(), notes.size())) {
      Map<String, Long> more = note(name).files();
      files.putAll(more);
      more.keySet().forEach(path -> identities.add(identity(path)));
    }
    loaded = notes;
  }

  private Note note(String name) {
    if (name.equals(lastWritten)) {
      return lastNote;
    }
    byte[] bytes =
        log.read(name)
            .orElseThrow(
                () ->
                    new TidemillException(
                            ErrorCode.CHECKPOINT_CORRUPT,
                            "The list of files already read is missing from the checkpoint.")
                        .with("note", name));
    return Json.read(bytes, Note.class);
  }
}
