package io.tidemill.connectors.file;

import io.tidemill.connectors.SinkContext;
import io.tidemill.connectors.SinkPublisher;
import io.tidemill.connectors.staged.Leftovers;
import io.tidemill.connectors.staged.StagedFiles;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.QueryId;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.Blob;
import io.tidemill.storage.Settled;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Publishes staged files: copies each to its final name if that is not taken, then writes the
 * manifest, then removes the staged names. Names are the same whenever it is done, so after a crash
 * at any step doing it again does the rest. Once the manifest is there, the batch is published.
 */
final class FileSinkPublisher implements SinkPublisher {
  private static final String PROBE = "_tidemill/probe";

  private final Blob target;
  private final QueryId query;
  private final String queryName;
  private final SinkNames names;
  private final Leftovers leftovers;
  private boolean isClaimed;

  FileSinkPublisher(SinkContext context, SinkNames names, Blob target) {
    this.target = target;
    this.query = context.query();
    this.queryName = context.queryName();
    this.names = names;
    this.leftovers = new Leftovers(target, names.staging());
    Optional<byte[]> claim = claimed();
    isClaimed = claim.isPresent();
    if (isClaimed && !Arrays.equals(claim.get(), claim())) {
      throw claimedByOther();
    }
  }

  /** Who has published here. If nobody has, tries whether one can. */
  private Optional<byte[]> claimed() {
    try {
      Optional<byte[]> claim = target.get(SinkNames.claim(queryName));
      if (claim.isEmpty()) {
        target.putIfAbsent(PROBE, claim());
        target.delete(PROBE);
      }
      return claim;
    } catch (TidemillException e) {
      if (e.code() != ErrorCode.NOT_WRITABLE && e.code() != ErrorCode.FORBIDDEN) {
        throw e;
      }
      throw new TidemillException(
              ErrorCode.NOT_WRITABLE,
              "The target of a file sink cannot be written: name another path, or make it a"
                  + " directory this user may write.",
              e)
          .with("path", target.location());
    }
  }

  /**
   * Notes down which checkpoint writes here, so that a query started anew with an empty one does
   * not add everything again. Not before there is something to publish: until a batch is committed,
   * a query that is started again may be another one.
   */
  private void claimOnce() {
    if (!isClaimed && !Settled.putIfAbsent(target, SinkNames.claim(queryName), claim())) {
      throw claimedByOther();
    }
    isClaimed = true;
  }

  private byte[] claim() {
    return Json.bytes(Map.of("query", query));
  }

  private TidemillException claimedByOther() {
    return new TidemillException(
            ErrorCode.CHECKPOINT_MISMATCH,
            "The target of a file sink has output of this query from another checkpoint: use that"
                + " checkpoint, name another path, or delete the output.")
        .with("path", target.location())
        .with("query", queryName);
  }

  @Override
  public void publish(Timeline timeline, BatchId batch, OutputMode mode, List<Staged> outputs) {
    List<FileSinkOutput.Staged> files =
        outputs.stream().flatMap(o -> FileSinkOutput.of(o.output()).files().stream()).toList();
    if (files.isEmpty()) {
      return;
    }
    claimOnce();
    Manifest manifest =
        new Manifest(
            query,
            timeline,
            batch,
            files.stream().map(f -> new Manifest.Entry(f.name(), f.rows(), f.bytes())).toList());
    String key = manifest.key(names.writer());
    if (target.size(key).isEmpty()) {
      files.forEach(f -> StagedFiles.copy(target, f.staged(), f.name(), f.bytes()));
      write(key, manifest);
    }
    files.forEach(f -> target.delete(f.staged()));
    leftovers.published(timeline, batch);
  }

  private void write(String key, Manifest manifest) {
    if (!Settled.putIfAbsent(target, key, Json.bytes(manifest))) {
      throw new TidemillException(
              ErrorCode.CHECKPOINT_MISMATCH,
              "A batch has been published before with other files: the target was changed by hand.")
          .with("manifest", key)
          .with("path", target.location());
    }
  }

  @Override
  public void close() {
    target.close();
  }
}
