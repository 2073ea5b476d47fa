package io.tidemill.cost;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a run asked for.
 *
 * @param orchestrator calls of its clients by operation
 * @param batch calls of the batch function's clients by operation
 * @param invocations of the batch function
 * @param answer what the orchestrator answered
 */
record Counts(
    Map<String, Long> orchestrator, Map<String, Long> batch, long invocations, JsonNode answer) {

  /** What another run did not ask for. */
  Counts minus(Counts other) {
    return new Counts(
        minus(orchestrator, other.orchestrator),
        minus(batch, other.batch),
        invocations - other.invocations,
        answer);
  }

  /** The same for one of several batches, all of which cost the same. */
  Counts each(int batches) {
    return new Counts(
        each(orchestrator, batches), each(batch, batches), exactly(invocations, batches), answer);
  }

  static Map<String, Long> minus(Map<String, Long> more, Map<String, Long> less) {
    Map<String, Long> left = new TreeMap<>(more);
    less.forEach((operation, n) -> left.merge(operation, -n, Long::sum));
    left.values().removeIf(n -> n == 0);
    return left;
  }

  private Map<String, Long> each(Map<String, Long> calls, int batches) {
    Map<String, Long> each = new TreeMap<>();
    calls.forEach((operation, n) -> each.put(operation, exactly(n, batches)));
    return each;
  }

  private long exactly(long calls, int batches) {
    if (calls % batches != 0) {
      throw new AssertionError("not the same in each of " + batches + " batches: " + this);
    }
    return calls / batches;
  }
}
