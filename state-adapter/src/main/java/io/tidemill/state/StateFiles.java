package io.tidemill.state;

import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.protocol.state.StateFile;
import io.tidemill.storage.Blob;
import io.tidemill.storage.Checksum;
import io.tidemill.storage.Settled;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads and writes the Parquet files of keyed state. */
final class StateFiles {
  /** Name of the file being written, always the same so that the statement is too. */
  private static final String WRITTEN = "state.parquet";

  private final Blob checkpoint;
  private final Database database;
  private final Path scratch;
  private final FileFormat format;

  StateFiles(Blob checkpoint, Database database, Path scratch) {
    this.checkpoint = checkpoint;
    this.database = database;
    this.scratch = scratch;
    this.format = new FileFormat(database);
  }

  /** Fetches and checks files once each; returns where they are, by key. */
  Map<String, Path> open(List<StateFile> files, StoredLayout layout) {
    Map<String, Path> paths = new HashMap<>();
    for (StateFile file : files) {
      if (!paths.containsKey(file.key())) {
        Path path = checked(file);
        format.check(file.key(), path.toString(), layout);
        paths.put(file.key(), path);
      }
    }
    return paths;
  }

  private Path checked(StateFile file) {
    Optional<Path> path = checkpoint.localFile(file.key());
    if (path.isEmpty()) {
      throw corrupt("A state file is missing. Restore it from a copy of the checkpoint.", file);
    }
    try {
      long bytes = Files.size(path.get());
      if (bytes != file.bytes() || Checksum.of(path.get()) != file.checksum()) {
        throw corrupt(
            "A state file is damaged: it is not what was written. Restore it from a copy of the"
                + " checkpoint.",
            file);
      }
      return path.get();
    } catch (IOException e) {
      throw local("A state file cannot be read from local disk. Check the disk.", path.get(), e);
    }
  }

  private TidemillException corrupt(String text, StateFile file) {
    return new TidemillException(ErrorCode.STATE_CORRUPT, text)
        .with("key", file.key())
        .with("location", checkpoint.location());
  }

  private static TidemillException local(String text, Path path, IOException cause) {
    return new TidemillException(ErrorCode.STORAGE_UNAVAILABLE, text, cause).with("file", path);
  }

  /** A relation of the rows to read of an opened file. */
  static String scan(StateFile file, Map<String, Path> paths) {
    Buckets buckets = file.buckets();
    String relation =
        "read_parquet("
            + Sql.text(paths.get(file.key()).toString())
            + ", hive_partitioning = false)";
    return relation
        + (buckets.isAll()
            ? ""
            : String.format(
                Locale.ROOT,
                " WHERE %1$s >= %2$d AND %1$s < %3$d",
                StateLayout.BUCKET,
                buckets.from(),
                buckets.to()));
  }

  /**
   * Writes the rows of a query, at least one, as a new file.
   *
   * @param file what is known of it before: key, buckets, base, batch
   */
  StateFile write(String select, StoredLayout layout, StateFile file) {
    Path local = scratch.resolve(WRITTEN);
    try {
      Files.createDirectories(scratch);
      try {
        return put(select, layout, file, local);
      } finally {
        Files.deleteIfExists(local);
      }
    } catch (IOException e) {
      throw local("State cannot be written to the scratch directory. Check the disk.", local, e);
    }
  }

  private StateFile put(String select, StoredLayout layout, StateFile file, Path local)
      throws IOException {
    long rows =
        database.repeat(
            "COPY ("
                + select
                + ") TO "
                + Sql.text(local.toString())
                + " (FORMAT parquet, COMPRESSION snappy, KV_METADATA "
                + format.metadata(layout)
                + ")");
    long bytes = Files.size(local);
    long checksum = Checksum.of(local);
    if (!Settled.putFileIfAbsent(checkpoint, file.key(), local, checksum)) {
      throw new TidemillException(
              ErrorCode.STORAGE_UNAVAILABLE,
              "Another run of the same attempt has already written its state. Run the task again,"
                  + " as a new attempt.")
          .with("key", file.key());
    }
    return new StateFile(
        file.key(), file.buckets(), file.base(), rows, bytes, checksum, file.batch());
  }
}
