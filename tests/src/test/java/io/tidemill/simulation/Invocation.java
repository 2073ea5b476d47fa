package io.tidemill.simulation;

import io.tidemill.checkpoint.TaskRecords;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.source.SourceStats;
import io.tidemill.protocol.state.StateChange;
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
 * A function at work on a task, a bit at a time: look for the record, read, write each output, tidy
 * up, record. Between two steps anything may happen, to it or to others.
 */
final class Invocation {
  private final TaskRequest request;
  private final SimulatedSource source;
  private final Blob blob;
  private final TaskRecords records;
  private final SimulatedQuery query;
  private final Counts.OfTask counts;

  private final List<Row> rows = new ArrayList<>();
  private final Map<String, List<Long>> ids = new TreeMap<>();
  private final Map<String, Long> all = new TreeMap<>();
  private final Map<String, Long> changed = new TreeMap<>();
  private final List<String> lines = new ArrayList<>();
  private final List<StateChange> changes = new ArrayList<>();
  private final List<ShuffleFile> shuffles = new ArrayList<>();
  private int step;
  private TaskResult result;

  Invocation(
      TaskRequest request,
      SimulatedSource source,
      SimulatedStorage.View storage,
      SimulatedQuery query) {
    this.request = request;
    this.source = source;
    this.blob = storage.blob();
    this.records = new TaskRecords(blob);
    this.query = query;
    boolean counting = query.isStateful() && request.stages().contains(Counts.OPERATOR);
    this.counts = counting ? query.counts().of(request, storage) : null;
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
      case 3 -> load();
      case 4 -> save();
      case 5 -> tidy();
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
          .filter(r -> Row.isIn(request.buckets(), query.grouping().groupOf(r)))
          .forEach(rows::add);
    }
    for (Row row : rows) {
      if (!query.grouping().isLate(row, request.batch().late())) {
        String group = query.grouping().groupOf(row);
        ids.computeIfAbsent(group, g -> new ArrayList<>()).add(row.id());
      }
    }
  }

  private void shuffle() {
    if (!query.isStateful() || !request.stages().equals(List.of(0)) || rows.isEmpty()) {
      return;
    }
    byte[] bytes = Json.bytes(new Shuffled(rows));
    String key = write(blob, "shuffle", request, bytes);
    shuffles.add(new ShuffleFile(1, key, rows.size(), bytes.length, 0));
  }

  private void load() {
    if (!query.isStateful()) {
      rows.forEach(r -> lines.add(Long.toString(r.id())));
    }
    if (counts == null) {
      return;
    }
    all.putAll(counts.load(ids.keySet()));
    ids.forEach(
        (group, own) -> {
          long count = all.getOrDefault(group, 0L) + own.size();
          lines.add(Expected.line(group, count, own));
          changed.put(group, Grouping.remembered(count));
        });
    all.putAll(changed);
    all.values().removeIf(count -> count == 0);
  }

  private void save() {
    if (counts != null) {
      changes.add(counts.save(all, changed));
    }
  }

  private void tidy() {
    if (counts != null) {
      counts.tidy();
    }
  }

  /** Writes an object of an attempt; its key. */
  static String write(Blob blob, String area, TaskRequest request, byte[] bytes) {
    String key = area + "/" + request.task().path() + "-" + request.attempt();
    if (!Settled.putIfAbsent(blob, key, bytes)) {
      throw new AssertionError("two executions of one attempt wrote different bytes: " + key);
    }
    return key;
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
        changes.isEmpty() ? List.of() : List.of(new OperatorStats(1, ids.size(), 0, 0, 0)),
        changes,
        shuffles,
        lines.isEmpty() ? List.of() : List.of(new TaskResult.SinkOutput(0, Json.tree(lines))),
        lines.size(),
        1);
  }
}
