package io.tidemill.simulation;

import io.tidemill.checkpoint.PlannedBatch;
import io.tidemill.checkpoint.PlannedSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a query that never fails would do: the output of each batch and the state after it. Output
 * lines are {@code group=count after the batch:ids of the batch}, or {@code id} without state.
 */
final class Expected {
  private final SimulatedSource source;
  private final Grouping grouping;
  private final Map<String, Long> counts = new TreeMap<>();
  private long rows;

  Expected(SimulatedSource source, Grouping grouping) {
    this.source = source;
    this.grouping = grouping;
  }

  /** Runs the next batch; its output lines, sorted. */
  List<String> run(PlannedBatch batch) {
    Map<String, List<Long>> ids = new TreeMap<>();
    for (PlannedSource planned : batch.sources()) {
      for (SimulatedSource.Range range : source.between(planned.start(), planned.end())) {
        for (Row row : source.rows(range)) {
          rows++;
          if (!grouping.isLate(row, batch.late())) {
            ids.computeIfAbsent(grouping.groupOf(row), g -> new ArrayList<>()).add(row.id());
          }
        }
      }
    }
    List<String> lines = new ArrayList<>();
    ids.forEach(
        (group, own) -> {
          if (grouping != Grouping.NONE) {
            lines.add(line(group, count(group, own.size()), own));
          } else {
            own.forEach(id -> lines.add(Long.toString(id)));
          }
        });
    counts.keySet().removeIf(group -> grouping.isOver(group, batch.eviction()));
    lines.sort(null);
    return lines;
  }

  /** Counts more rows of a group; the count to be emitted. */
  private long count(String group, long more) {
    long count = counts.getOrDefault(group, 0L) + more;
    long remembered = Grouping.remembered(count);
    if (remembered == 0) {
      counts.remove(group);
    } else {
      counts.put(group, remembered);
    }
    return count;
  }

  /** Rows of all batches so far. */
  long rows() {
    return rows;
  }

  Map<String, Long> counts() {
    return counts;
  }

  static String line(String group, long count, List<Long> ids) {
    return group + "=" + count + ":" + ids.stream().sorted().toList();
  }
}
