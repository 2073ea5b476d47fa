package io.tidemill.simulation;

import io.tidemill.checkpoint.PlannedBatch;
import io.tidemill.checkpoint.PlannedSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a query that never fails would do: the output of each batch and the state after it. Output
 * lines are {@code key=count after the batch:ids of the batch}, or {@code id} without state.
 */
final class Expected {
  private final SimulatedSource source;
  private final boolean stateful;
  private final Map<String, Long> counts = new TreeMap<>();
  private long rows;

  Expected(SimulatedSource source, boolean stateful) {
    this.source = source;
    this.stateful = stateful;
  }

  /** Runs the next batch; its output lines, sorted. */
  List<String> run(PlannedBatch batch) {
    Map<String, List<Long>> ids = new TreeMap<>();
    for (PlannedSource planned : batch.sources()) {
      for (SimulatedSource.Range range : source.between(planned.start(), planned.end())) {
        for (Row row : source.rows(range)) {
          ids.computeIfAbsent(row.key(), k -> new ArrayList<>()).add(row.id());
          rows++;
        }
      }
    }
    List<String> lines = new ArrayList<>();
    ids.forEach(
        (key, own) -> {
          if (stateful) {
            lines.add(line(key, counts.merge(key, (long) own.size(), Long::sum), own));
          } else {
            own.forEach(id -> lines.add(Long.toString(id)));
          }
        });
    lines.sort(null);
    return lines;
  }

  /** Rows of all batches so far. */
  long rows() {
    return rows;
  }

  Map<String, Long> counts() {
    return counts;
  }

  static String line(String key, long count, List<Long> ids) {
    return key + "=" + count + ":" + ids.stream().sorted().toList();
  }
}
