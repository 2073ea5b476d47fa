package io.tidemill.checkpoint;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The tasks of a batch as far as they are fixed when it is planned. Stages behind a shuffle are
 * decided later, see {@link LayoutRecords}.
 *
 * @param wholeBatch true if one task runs all stages
 * @param parts otherwise, for each source stage, the splits (as indexes into the source's splits)
 *     of each of its tasks
 */
public record BatchLayout(boolean wholeBatch, Map<Integer, List<List<Integer>>> parts) {
  public static final BatchLayout WHOLE_BATCH = new BatchLayout(true, Map.of());

  public BatchLayout {
    parts = new TreeMap<>(parts);
  }

  public static BatchLayout perStage(Map<Integer, List<List<Integer>>> parts) {
    return new BatchLayout(false, parts);
  }
}
