package io.tidemill.function;

import io.tidemill.connectors.types.SqlType;
import io.tidemill.engine.Duck;
import io.tidemill.engine.operator.OperatorRun;
import io.tidemill.engine.task.TaskEngine;
import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.protocol.task.ShuffleFile;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.query.plan.Stage;
import io.tidemill.storage.Blob;
import io.tidemill.storage.Checksum;
import io.tidemill.storage.Settled;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Rows between stages as Parquet objects sorted by bucket, so that a shard reads only its part. */
final class ShuffleFiles {
  /** Rows of a Parquet row group; small ones let a shard skip more. */
  private static final int ROW_GROUP_ROWS = 20_480;

  /** Types that Parquet does not give back as they were, alone or inside others. */
  private static final Pattern CHANGED_BY_FILES =
      Pattern.compile(
          "\\b(INTERVAL|TIME WITH TIME ZONE|ENUM|BIT|TIMESTAMP_S|TIMESTAMP_MS|BIGNUM|UNION|VARIANT)\\b"
              + "|\\[\\d+]");

  private final Blob blob;
  private final Duck duck;
  private final Scratch scratch;

  ShuffleFiles(Blob blob, Duck duck, Scratch scratch) {
    this.blob = blob;
    this.duck = duck;
    this.scratch = scratch;
  }

  /** Writes a stage's rows for its consumer; nothing if there are none. */
  Optional<ShuffleFile> write(Stage stage, TaskRequest request) {
    String table = TaskEngine.outTable(stage.id());
    long rows = duck.number("SELECT count(*) FROM " + table);
    if (rows == 0) {
      return Optional.empty();
    }
    Path file = scratch.fresh("task").resolve("shuffle.parquet");
    Map<String, String> types = changedTypes(table);
    duck.execute(
        "COPY (SELECT "
            + all(types, t -> SqlType.parse(t).exactlyStorable().text())
            + " FROM "
            + table
            + " ORDER BY _bucket) TO "
            + Sql.text(file.toString())
            + " (FORMAT parquet, COMPRESSION lz4_raw, ROW_GROUP_SIZE "
            + ROW_GROUP_ROWS
            + ")");
    try {
      long bytes = Files.size(file);
      long checksum = Checksum.of(file);
      String key =
          "shuffle/"
              + request.task().path()
              + "-"
              + stage.id()
              + "-"
              + request.attempt()
              + ".parquet";
      ShuffleFile written =
          new ShuffleFile(
              stage.consumer().getAsInt(), key, rows, bytes, checksum, types, Optional.empty());
      if (bytes <= request.inlineShuffleBytes()) {
        return Optional.of(written.withInline(Files.readAllBytes(file)));
      }
      if (!Settled.putFileIfAbsent(blob, key, file, checksum)) {
        throw new TidemillException(
                ErrorCode.STORAGE_UNAVAILABLE,
                "Another run of the same attempt has already written its rows. Run the task again,"
                    + " as a new attempt.")
            .with("key", key);
      }
      return Optional.of(written);
    } catch (IOException e) {
      throw new TidemillException(
          ErrorCode.STORAGE_UNAVAILABLE, "Rows between stages could not be read back.", e);
    }
  }

  private Map<String, String> changedTypes(String table) {
    Map<String, String> types = new TreeMap<>();
    for (Column column : duck.describe("FROM " + table).columns()) {
      if (CHANGED_BY_FILES.matcher(column.type()).find()) {
        types.put(column.name(), column.type());
      }
    }
    return types;
  }

  /** All columns in their order, some of them cast to what becomes of their type. */
  private static String all(Map<String, String> types, UnaryOperator<String> castTo) {
    return types.isEmpty()
        ? "*"
        : types.entrySet().stream()
            .map(
                t ->
                    "CAST("
                        + Sql.name(t.getKey())
                        + " AS "
                        + castTo.apply(t.getValue())
                        + ") AS "
                        + Sql.name(t.getKey()))
            .collect(Collectors.joining(", ", "* REPLACE (", ")"));
  }

  /** Loads the rows of a shard for a stage; empty if no file is for it. */
  Optional<String> read(Stage stage, List<ShuffleFile> files, Buckets shard) {
    List<String> paths = new ArrayList<>();
    Map<String, String> types = new TreeMap<>();
    for (ShuffleFile file : files) {
      if (file.toStage() == stage.id()) {
        types.putAll(file.types());
        paths.add(verified(file).toString());
      }
    }
    if (paths.isEmpty()) {
      return Optional.empty();
    }
    String table = OperatorRun.MIXED + stage.id();
    String list = paths.stream().map(Sql::text).collect(Collectors.joining(", ", "[", "]"));
    duck.execute(
        "CREATE OR REPLACE TEMP TABLE "
            + table
            + " AS SELECT "
            + all(types, t -> t)
            + " FROM read_parquet("
            + list
            + ") WHERE _bucket >= "
            + shard.from()
            + " AND _bucket < "
            + shard.to());
    return Optional.of(table);
  }

  private Path verified(ShuffleFile file) {
    Path path = local(file);
    try {
      if (Checksum.of(path) != file.checksum()) {
        throw new TidemillException(
                ErrorCode.STATE_CORRUPT, "Rows between stages are not what was written.")
            .with("key", file.key());
      }
      return path.toRealPath();
    } catch (IOException e) {
      throw new TidemillException(
              ErrorCode.STORAGE_UNAVAILABLE, "Rows between stages could not be read.", e)
          .with("key", file.key());
    }
  }

  private Path local(ShuffleFile file) {
    if (file.content().isPresent()) {
      return unpacked(file.content().get());
    }
    return blob.localFile(file.key())
        .orElseThrow(
            () ->
                new TidemillException(ErrorCode.STATE_CORRUPT, "Rows between stages are missing.")
                    .with("key", file.key()));
  }

  private Path unpacked(byte[] content) {
    try {
      return Files.write(scratch.fresh("task").resolve("shuffle.parquet"), content);
    } catch (IOException e) {
      throw new TidemillException(
          ErrorCode.STORAGE_UNAVAILABLE, "Rows between stages could not be unpacked.", e);
    }
  }
}
