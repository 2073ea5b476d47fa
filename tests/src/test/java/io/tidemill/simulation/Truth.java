package io.tidemill.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.checkpoint.Committed;
import io.tidemill.checkpoint.Head;
import io.tidemill.checkpoint.HeadStore;
import io.tidemill.checkpoint.PlannedBatch;
import io.tidemill.checkpoint.PlannedSource;
import io.tidemill.checkpoint.Publication;
import io.tidemill.checkpoint.TaskRecords;
import io.tidemill.protocol.Epoch;
import io.tidemill.protocol.state.StateVersion;
import io.tidemill.protocol.task.TaskId;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.protocol.task.TaskResult;
import io.tidemill.storage.Blob;
import io.tidemill.storage.Register;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Knows what must hold, and is told of everything that changes what others see: heads, deletions,
 * publications, requests. It looks at the storage itself, where nothing fails. May be told by
 * several threads.
 */
final class Truth {
  private static final String HEAD = "head";

  private final SimulatedStorage storage;
  private final Blob blob;
  private final SimulatedSink sink;
  private final Expected expected;
  private final SimulatedQuery query;
  private final Counts counts;
  private final TreeMap<Long, List<String>> outputs = new TreeMap<>();
  private final TreeMap<Long, Set<String>> retained = new TreeMap<>();
  private final Map<Long, StateVersion> versions = new HashMap<>();
  private final Map<Epoch, String> owners = new HashMap<>();
  private Head head;
  private long version = Register.ABSENT;
  private boolean changed;

  Truth(SimulatedStorage storage, SimulatedSink sink, Expected expected, SimulatedQuery query) {
    this.storage = storage;
    this.blob = storage.blob();
    this.sink = sink;
    this.expected = expected;
    this.query = query;
    this.counts = query.counts();
    this.versions.put(-1L, StateVersion.EMPTY);
  }

  /** The register may have a new value. */
  synchronized void onRegister() {
    long newest = storage.register().read(HEAD).orElseThrow().version();
    if (newest > version) {
      version = newest;
      onHead(new HeadStore(blob, storage.register()).read().orElseThrow().head());
    }
  }

  private void onHead(Head next) {
    Head before = head;
    head = next;
    changed = true;
    if (before == null) {
      assertThat(next.committed().batch()).as("a new query has no batch").isEmpty();
      return;
    }
    assertThat(next.query()).as("the query is the same").isEqualTo(before.query());
    assertThat(next.epoch()).as("the epoch never goes back").isGreaterThanOrEqualTo(before.epoch());
    String owner = next.lease().owner();
    if (!owner.isEmpty()) {
      assertThat(owners.computeIfAbsent(next.epoch(), e -> owner))
          .as("each run has an epoch of its own")
          .isEqualTo(owner);
    }
    if (next.committed().batch().equals(before.committed().batch())) {
      onSameBatch(before, next);
    } else {
      onCommit(before, next);
    }
  }

  private void onSameBatch(Head before, Head next) {
    assertThat(next.committed().positions())
        .as("positions move with commits only")
        .isEqualTo(before.committed().positions());
    assertThat(next.committed().state())
        .as("state moves with commits only")
        .isEqualTo(before.committed().state());
    if (before.planned().isPresent()) {
      assertThat(next.planned()).as("a plan is for ever").isEqualTo(before.planned());
    }
    next.planned()
        .ifPresent(
            plan ->
                assertThat(plan.sources().stream().map(PlannedSource::start).toList())
                    .as("a plan starts where the committed batch ended")
                    .isEqualTo(next.committed().positions()));
    if (next.committed().publication().isEmpty()) {
      assertPublished(before.committed());
    }
  }

  private void onCommit(Head before, Head next) {
    PlannedBatch plan = before.planned().orElseThrow();
    Committed committed = next.committed();
    long batch = committed.batch().orElseThrow().value();
    assertThat(plan.batch().value()).as("the planned batch is committed").isEqualTo(batch);
    assertThat(committed.positions())
        .as("a commit takes the planned positions")
        .isEqualTo(plan.sources().stream().map(PlannedSource::end).toList());
    assertPublished(before.committed());
    List<String> lines = expected.run(plan);
    assertThat(lines(committed)).as("output of batch %s", batch).isEqualTo(lines);
    outputs.put(batch, lines);
    assertState(batch, committed);
    retained.headMap(batch - query.retainBatches()).clear();
  }

  private void assertState(long batch, Committed committed) {
    StateVersion state = committed.state(Counts.OPERATOR);
    assertCounts();
    Set<String> named = files(state);
    Set<String> fresh = new HashSet<>(named);
    fresh.removeAll(files(versions.get(batch - 1)));
    assertThat(recordedFiles(batch))
        .as("new files of batch %s are those of its task records", batch)
        .containsAll(fresh);
    retained.put(batch, named);
    versions.put(batch, state);
  }

  private void assertCounts() {
    if (query.isStateful()) {
      assertThat(counts.committed(head, storage))
          .as("state after the committed batch")
          .isEqualTo(expected.counts());
    }
  }

  private Set<String> recordedFiles(long batch) {
    Set<String> files = new HashSet<>();
    TaskRecords records = new TaskRecords(blob);
    for (TaskId task : RecordKeys.tasks(blob, batch)) {
      TaskResult result = records.read(task).orElseThrow();
      result.state().forEach(c -> c.added().forEach(f -> files.add(f.key())));
    }
    return files;
  }

  private static Set<String> files(StateVersion version) {
    Set<String> files = new HashSet<>();
    version.segments().forEach(s -> s.files().forEach(f -> files.add(f.key())));
    return files;
  }

  private void assertPublished(Committed committed) {
    committed
        .batch()
        .filter(b -> !outputs.get(b.value()).isEmpty())
        .ifPresent(
            b ->
                assertThat(sink.batches())
                    .as("published before it is forgotten")
                    .containsKey(b.value()));
  }

  private static List<String> lines(Committed committed) {
    List<String> lines = new ArrayList<>();
    for (Publication.Output output :
        committed.publication().map(Publication::outputs).orElse(List.of())) {
      for (JsonNode line : output.output()) {
        lines.add(line.asText());
      }
    }
    lines.sort(null);
    return lines;
  }

  /** A batch is shown in the sink. */
  synchronized void onPublish(long batch, List<String> lines) {
    assertThat(outputs).as("only committed batches are published").containsKey(batch);
    assertThat(lines).as("publication of batch %s", batch).isEqualTo(outputs.get(batch));
  }

  /** A task is asked to start from a version of the state. */
  synchronized void onRequest(TaskRequest request) {
    StateVersion asked = request.state().getOrDefault(Counts.OPERATOR, StateVersion.EMPTY);
    StateVersion before = versions.get(request.batch().batch().value() - 1);
    assertThat(before).as("a task works on a committed version").isNotNull();
    assertThat(asked.segments())
        .as("a task sees the version that was committed before its batch")
        .isEqualTo(
            request.state().containsKey(Counts.OPERATOR)
                ? before.overlapping(request.buckets())
                : List.of());
  }

  /** An object is about to be deleted. */
  synchronized void onDelete(String key) {
    changed = true;
    retained.forEach(
        (batch, files) -> {
          if (files.contains(key)) {
            throw new AssertionError("deleted, but version " + batch + " names it: " + key);
          }
        });
    if (head != null && head.planned().isPresent()) {
      long planned = head.planned().get().batch().value();
      assertThat(key)
          .as("records and shuffle files of the planned batch are needed")
          .doesNotContain(String.format(Locale.ROOT, "/%010d/", planned));
    }
  }

  /** Items were written or removed. */
  synchronized void onItems() {
    changed = true;
  }

  /**
   * Every file that a retained version names is there, and the state is that of the committed
   * batch, whatever tasks of the next one do; if anything changed since the last look.
   */
  void assertRetained() {
    if (!changed) {
      return;
    }
    changed = false;
    if (head != null) {
      assertCounts();
    }
    for (Set<String> files : retained.values()) {
      for (String key : files) {
        if (blob.size(key).isEmpty()) {
          throw new AssertionError("a retained version names a file that is gone: " + key);
        }
      }
    }
  }

  /** All rows are in the sink, each once: outputs hold each row of the source once. */
  void assertComplete(long rows) {
    assertThat(sink.batches())
        .as("all batches with output are published")
        .containsExactlyEntriesOf(
            new TreeMap<>(
                outputs.entrySet().stream()
                    .filter(e -> !e.getValue().isEmpty())
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue))));
    assertThat(expected.rows()).as("all rows were committed once").isEqualTo(rows);
  }

  /**
   * After a sweep while nobody else was at work, no blob of a large row is left without an item.
   */
  void assertSwept() {
    assertThat(ItemCounts.orphans(head, storage)).as("blobs that no item names").isEmpty();
  }

  long committedBatches() {
    return outputs.size();
  }
}
