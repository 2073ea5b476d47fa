package io.tidemill.orchestrator;

import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Measures where the time of one batch goes. Activities have Spark's names. */
final class BatchTimes {
  static final String LATEST_OFFSET = "latestOffset";
  static final String QUERY_PLANNING = "queryPlanning";
  static final String WAL_COMMIT = "walCommit";
  static final String ADD_BATCH = "addBatch";
  static final String COMMIT_OFFSETS = "commitOffsets";
  static final String PUBLISH = "publish";
  static final String TRIGGER_EXECUTION = "triggerExecution";

  private final InstantSource clock;
  private final long startMillis;
  private final long previousStartMillis;
  private final Map<String, Long> spent = new TreeMap<>();

  /**
   * @param previousStartMillis when the trigger before started; the same as now if there was none
   */
  BatchTimes(InstantSource clock, long previousStartMillis) {
    this.clock = clock;
    this.startMillis = clock.millis();
    this.previousStartMillis = previousStartMillis;
  }

  <T> T measure(String activity, Supplier<T> work) {
    long from = clock.millis();
    try {
      return work.get();
    } finally {
      add(activity, clock.millis() - from);
    }
  }

  void measure(String activity, Runnable work) {
    measure(
        activity,
        () -> {
          work.run();
          return null;
        });
  }

  void add(String activity, long millis) {
    spent.merge(activity, millis, Long::sum);
  }

  long startMillis() {
    return startMillis;
  }

  /** Milliseconds since the trigger before this one started. */
  long sincePreviousMillis() {
    return startMillis - previousStartMillis;
  }

  /** Milliseconds so far. */
  long elapsedMillis() {
    return clock.millis() - startMillis;
  }

  Map<String, Long> spent() {
    Map<String, Long> all = new TreeMap<>(spent);
    all.put(TRIGGER_EXECUTION, elapsedMillis());
    return all;
  }
}
