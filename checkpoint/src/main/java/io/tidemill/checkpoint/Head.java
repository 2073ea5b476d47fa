package io.tidemill.checkpoint;

import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Epoch;
import io.tidemill.protocol.QueryId;
import io.tidemill.protocol.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The truth about a query: the value of its one register.
 *
 * @param query identity for the life of the checkpoint
 * @param name what people call the query
 * @param plan what must not change
 * @param settings what all runs share
 * @param epoch grows with the first write of each run
 * @param committed what is done
 * @param planned the batch to run next, if it is fixed already
 * @param recent history not yet in a history blob, oldest first
 */
public record Head(
    QueryId query,
    String name,
    PlanIdentity plan,
    SharedSettings settings,
    Timeline timeline,
    Epoch epoch,
    Lease lease,
    Committed committed,
    Optional<PlannedBatch> planned,
    List<HistoryEntry> recent) {
  public Head {
    recent = List.copyOf(recent);
    if (planned.isPresent() && !planned.get().batch().equals(committed.following())) {
      throw new IllegalArgumentException("the planned batch does not follow the committed one");
    }
  }

  /** True if a run that opens this head has to finish what another one began. */
  public boolean unfinished() {
    return planned.isPresent() || committed.publication().isPresent();
  }

  /** True if the batch is committed or its timeline given up: no attempt at it counts any more. */
  public boolean isPast(Timeline of, BatchId batch) {
    int order = of.compareTo(timeline);
    return order < 0
        || (order == 0 && committed.batch().map(done -> batch.compareTo(done) <= 0).orElse(false));
  }

  /** This head with the next batch fixed. */
  public Head withPlanned(PlannedBatch batch) {
    return with(committed, Optional.of(batch), recent);
  }

  /** This head with a batch committed and no next one fixed. */
  public Head withCommitted(Committed done, HistoryEntry entry) {
    List<HistoryEntry> all = new ArrayList<>(recent);
    all.add(entry);
    return with(done, Optional.empty(), all);
  }

  /** This head with the last batch published. */
  public Head withPublished() {
    return with(committed.published(), planned, recent);
  }

  /** This head without history entries up to the batch, which are in a history blob. */
  public Head withoutHistory(BatchId through) {
    return with(
        committed, planned, recent.stream().filter(e -> e.batch().compareTo(through) > 0).toList());
  }

  Head withStart(Committed start) {
    return with(start, planned, recent);
  }

  Head withOwner(Epoch epoch, Lease lease) {
    return new Head(
        query, name, plan, settings, timeline, epoch, lease, committed, planned, recent);
  }

  private Head with(
      Committed committed, Optional<PlannedBatch> planned, List<HistoryEntry> recent) {
    return new Head(
        query, name, plan, settings, timeline, epoch, lease, committed, planned, recent);
  }
}
