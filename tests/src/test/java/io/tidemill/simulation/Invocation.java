package io.tidemill.simulation;

import io.tidemill.checkpoint.TaskRecords;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.source.SourceStats;
import io.tidemill.protocol.state.StateChange;
import io.tidemill.protocol.state.StateFile;
import io.tidemill.protocol.state.StateVersion;
import io.tidemill.protocol.task.OperatorStats;
import io.tidemill.protocol.task.ShuffleFile;
import io.tidemill.protocol.task.SplitAssignment;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.protocol.task.TaskResult;
import io.tidemill.storage.Blob;
import io.tidemill.storage.Settled;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A function at work on a task, a bit at a time: look for the record, read, write each output,
 * record. Between two steps anything may happen, to it or to others.
 */
final class Invocation {
  /** Files of a shard before they are rewritten as one. */
  private static final int FILES_MAX = 3;

  private final TaskRequest request;
  private final SimulatedSource source;
  private final Blob blob;
  private final TaskRecords records;
  private final boolean stateful;

  private final List<Row> rows = new ArrayList<>();
  private final Map<String, List<Long>> idsByKey = new TreeMap<>();
  private final List<String> lines = new ArrayList<>();
  private final List<StateChange> changes = new ArrayList<>();
  private final List<ShuffleFile> shuffles = new ArrayList<>();
  private int step;
  private TaskResult result;

  Invocation(TaskRequest request, SimulatedSource source, Blob blob, boolean stateful) {
    this.request = request;
    this.source = source;
    this.blob = blob;
    this.records = new TaskRecords(blob);
    this.stateful = stateful;
  }

  private record Shuffled(List<Row> rows) {}

  TaskRequest request() {
    return request;
  }

  /** Does the next bit; the result once there is one. */
  Optional<TaskResult> step() {
    switch (step++) {
      case 0 -> result = request.replay() ? records.read(request.task()).orElse(null) : null;
      case 1 -> read();
      case 2 -> shuffle();
      case 3 -> aggregate();
      default -> result = records.record(complete());
    }
    return Optional.ofNullable(result);
  }

  private void read() {
    for (SplitAssignment split : request.splits()) {
      rows.addAll(source.rows(SimulatedSource.range(split.split().range())));
    }
    for (ShuffleFile file : request.shuffles()) {
      byte[] bytes =
          blob.get(file.key())
              .orElseThrow(
                  () -> new TidemillException(ErrorCode.STATE_CORRUPT, "A shuffle file is gone."));
      Json.read(bytes, Shuffled.class).rows().stream()
          .filter(r -> isOwn(r.key()))
          .forEach(rows::add);
    }
    rows.forEach(r -> idsByKey.computeIfAbsent(r.key(), k -> new ArrayList<>()).add(r.id()));
  }

  private boolean isOwn(String key) {
    int bucket = Row.bucket(key);
    return request.buckets().from() <= bucket && bucket < request.buckets().to();
  }

  private void shuffle() {
    if (!stateful || !request.stages().equals(List.of(0)) || rows.isEmpty()) {
      return;
    }
    byte[] bytes = Json.bytes(new Shuffled(rows));
    String key = key("shuffle");
    write(key, bytes);
    shuffles.add(new ShuffleFile(1, key, rows.size(), bytes.length, 0));
  }

  private void aggregate() {
    if (!stateful) {
      rows.forEach(r -> lines.add(Long.toString(r.id())));
      return;
    }
    if (!request.stages().contains(1)) {
      return;
    }
    StateVersion version = request.state().get(1);
    Map<String, Long> all = KeyCounts.read(blob, version, request.buckets());
    Map<String, Long> changed = new TreeMap<>();
    idsByKey.forEach(
        (key, ids) -> {
          changed.put(key, all.merge(key, (long) ids.size(), Long::sum));
          lines.add(Expected.line(key, changed.get(key), ids));
        });
    boolean rebase = version.files(request.buckets()).size() >= FILES_MAX;
    changes.add(
        new StateChange(
            1,
            request.buckets(),
            changed.isEmpty() ? List.of() : List.of(file(rebase ? all : changed, rebase)),
            rebase && !changed.isEmpty(),
            all.size()));
  }

  private StateFile file(Map<String, Long> counts, boolean base) {
    byte[] bytes = KeyCounts.bytes(counts);
    String key = key("state/1");
    write(key, bytes);
    long batch = request.batch().batch().value();
    return new StateFile(key, request.buckets(), base, counts.size(), bytes.length, 0, batch);
  }

  private String key(String area) {
    return area + "/" + request.task().path() + "-" + request.attempt();
  }

  private void write(String key, byte[] bytes) {
    if (!Settled.putIfAbsent(blob, key, bytes)) {
      throw new AssertionError("two executions of one attempt wrote different bytes: " + key);
    }
  }

  private TaskResult complete() {
    SourceStats stats = SourceStats.none(0);
    if (!request.splits().isEmpty()) {
      for (Row row : rows) {
        long micros = row.eventMillis() * 1_000;
        stats =
            stats.plus(new SourceStats(0, 1, 0, micros, micros, row.eventMillis(), 1, Map.of()));
      }
    }
    return new TaskResult(
        request.task(),
        request.attempt(),
        stats.rows() == 0 ? List.of() : List.of(stats),
        changes.isEmpty() ? List.of() : List.of(new OperatorStats(1, idsByKey.size(), 0, 0, 0)),
        changes,
        shuffles,
        lines.isEmpty() ? List.of() : List.of(new TaskResult.SinkOutput(0, Json.tree(lines))),
        lines.size(),
        1);
  }
}
