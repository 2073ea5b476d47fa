package io.tidemill.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.aws.local.Batches;
import io.tidemill.aws.local.Prices;
import io.tidemill.aws.local.Usage;
import io.tidemill.checkpoint.CheckpointView;
import io.tidemill.checkpoint.HeadStore;
import io.tidemill.checkpoint.HistoryEntry;
import io.tidemill.orchestrator.progress.QueryProgress;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.storage.Locations;
import io.tidemill.storage.Store;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Shows each batch that the functions have done, with what its checkpoint says of it and what it
 * used. Thread-safe.
 */
final class AwsBatches implements Batches, AutoCloseable {
  private final ProgressDisplay display;
  private final boolean json;
  private final Prices prices;
  private final JobTotals totals;
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final List<Future<?>> shown = new ArrayList<>();
  private final List<String> rows = new ArrayList<>();
  private final Map<String, Store> checkpoints = new HashMap<>();

  /**
   * @param json whether each batch is printed as an object on standard output
   */
  AwsBatches(ProgressDisplay display, boolean json, Prices prices) {
    this.display = display;
    this.json = json;
    this.prices = prices;
    this.totals = new JobTotals(display, json);
  }

  /** Says where the queries' checkpoints are, before the first batch is done. */
  void read(List<QueryPlan> queries, Locations locations) {
    for (QueryPlan query : queries) {
      checkpoints.put(
          query.name().toLowerCase(Locale.ROOT),
          locations.store(Locations.child(query.settings().checkpoint(), query.name())));
    }
  }

  @Override
  public synchronized void done(String query, long batch, Usage used) {
    // The host's thread must not wait for the checkpoint to be read.
    shown.add(thread.submit(() -> show(query, batch, used)));
  }

  private void show(String query, long batch, Usage used) {
    QueryProgress progress = progress(checkpoints.get(query), batch);
    BatchView view = totals.add(progress);
    AwsCost cost = AwsCost.of(used, prices);
    if (json) {
      System.out.println(AwsCost.json(new AwsBatch(progress, cost)));
    } else {
      display.batch(view);
      addRow(AwsTable.row(progress.name() + " " + batch, view.inputRows(), cost));
    }
  }

  private synchronized void addRow(String row) {
    rows.add(row);
  }

  /** In the head, or if others came meanwhile, in what was moved out of it. */
  private static QueryProgress progress(Store checkpoint, long batch) {
    Optional<HistoryEntry> recent =
        new HeadStore(checkpoint.blob(), checkpoint.register())
            .read().stream()
                .flatMap(stored -> stored.head().recent().stream())
                .filter(entry -> entry.batch().value() == batch)
                .findFirst();
    return recent
        .or(() -> moved(checkpoint, batch))
        .map(entry -> parsed(entry.progress()))
        .orElseThrow(
            () ->
                new TidemillException(
                        ErrorCode.INTERNAL, "The checkpoint says nothing of a batch that was done.")
                    .with("batch", batch));
  }

  private static Optional<HistoryEntry> moved(Store checkpoint, long batch) {
    return CheckpointView.read(checkpoint.blob(), checkpoint.register()).stream()
        .flatMap(view -> view.history().stream())
        .filter(entry -> entry.batch().value() == batch)
        .reduce((earlier, later) -> later);
  }

  private static QueryProgress parsed(JsonNode progress) {
    try {
      return Json.MAPPER.treeToValue(progress, QueryProgress.class);
    } catch (JsonProcessingException e) {
      throw new TidemillException(ErrorCode.INTERNAL, "The progress of a batch cannot be read.", e);
    }
  }

  /** Waits until all batches that are done are shown; throws the first failure to show one. */
  void await() throws InterruptedException {
    List<Future<?>> all;
    synchronized (this) {
      all = List.copyOf(shown);
      shown.clear();
    }
    for (Future<?> one : all) {
      try {
        one.get();
      } catch (ExecutionException e) {
        throw e.getCause() instanceof RuntimeException known
            ? known
            : new IllegalStateException(e.getCause());
      }
    }
  }

  JobTotals totals() {
    return totals;
  }

  /** A line per batch. */
  synchronized List<String> rows() {
    return List.copyOf(rows);
  }

  @Override
  public void close() {
    thread.shutdown();
    checkpoints.values().forEach(Store::close);
  }
}
