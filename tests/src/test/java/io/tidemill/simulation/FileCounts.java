package io.tidemill.simulation;

import io.tidemill.checkpoint.Head;
import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.state.StateChange;
import io.tidemill.protocol.state.StateFile;
import io.tidemill.protocol.state.StateVersion;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.storage.Blob;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Counts in files that are JSON objects. A count of 0 replaces another one. */
record FileCounts(Grouping grouping) implements Counts {
  /** Files of a shard before they are rewritten as one. */
  private static final int FILES_MAX = 3;

  private record Content(Map<String, Long> counts) {}

  @Override
  public OfTask of(TaskRequest request, SimulatedStorage.View storage) {
    return new Task(request, storage.blob());
  }

  @Override
  public Map<String, Long> committed(Head head, SimulatedStorage storage) {
    return read(storage.blob(), head.committed().state(OPERATOR), Buckets.ALL);
  }

  private Map<String, Long> read(Blob blob, StateVersion version, Buckets range) {
    Map<String, Long> counts = new TreeMap<>();
    for (StateFile file : version.files(range)) {
      byte[] bytes =
          blob.get(file.key())
              .orElseThrow(
                  () ->
                      new TidemillException(ErrorCode.STATE_CORRUPT, "A state file is gone.")
                          .with("key", file.key()));
      Json.read(bytes, Content.class)
          .counts()
          .forEach(
              (group, count) -> {
                if (Row.isIn(file.buckets(), group)) {
                  counts.put(group, count);
                }
              });
    }
    counts.entrySet().removeIf(e -> isGone(e.getKey(), e.getValue(), version));
    return counts;
  }

  private boolean isGone(String group, long count, StateVersion version) {
    return count == 0 || grouping.isOver(group, version.evictedTo());
  }

  private final class Task implements OfTask {
    private final TaskRequest request;
    private final Blob blob;
    private final StateVersion version;

    Task(TaskRequest request, Blob blob) {
      this.request = request;
      this.blob = blob;
      this.version = request.state().get(OPERATOR);
    }

    @Override
    public Map<String, Long> load(Set<String> groups) {
      return read(blob, version, request.buckets());
    }

    @Override
    public StateChange save(Map<String, Long> all, Map<String, Long> changed) {
      boolean rebase = version.files(request.buckets()).size() >= FILES_MAX;
      return new StateChange(
          OPERATOR,
          request.buckets(),
          changed.isEmpty() ? List.of() : List.of(file(rebase ? all : changed, rebase)),
          rebase && !changed.isEmpty(),
          all.size());
    }

    private StateFile file(Map<String, Long> counts, boolean base) {
      byte[] bytes = Json.bytes(new Content(counts));
      String key = Invocation.write(blob, "state/1", request, bytes);
      long batch = request.batch().batch().value();
      return new StateFile(key, request.buckets(), base, counts.size(), bytes.length, 0, batch);
    }

    @Override
    public void tidy() {}
  }
}
