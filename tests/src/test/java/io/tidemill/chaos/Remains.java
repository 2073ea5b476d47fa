package io.tidemill.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.checkpoint.GarbageCollector;
import io.tidemill.checkpoint.Head;
import io.tidemill.checkpoint.HeadStore;
import io.tidemill.checkpoint.History;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.source.SourcePosition;
import io.tidemill.protocol.state.StateFile;
import io.tidemill.protocol.state.StateVersion;
import io.tidemill.storage.Blob;
import io.tidemill.storage.Items;
import io.tidemill.storage.Store;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/**
 * What is left in a checkpoint and in a file sink's target when a query has come to rest: all that
 * is named must be there, and what nobody needs must not.
 */
final class Remains {
  /** Batches of which a query with state in items sweeps values that no item names. */
  static final int SWEEP_EVERY_BATCHES = 32;

  private static final int PAGE = 1_000;
  private static final Pattern ITEM = Pattern.compile("items/(.+)/\\d+/(\\d{10})/([^/]+)");
  private static final int ATTEMPT_CHARACTERS_MAX = 60;

  private final Store checkpoint;
  private final int retainBatches;
  private final Head head;
  private final long committed;
  private final List<String> complaints = new ArrayList<>();

  /**
   * @param retainBatches as the job says
   */
  Remains(Store checkpoint, int retainBatches) {
    this.checkpoint = checkpoint;
    this.retainBatches = retainBatches;
    this.head = new HeadStore(checkpoint.blob(), checkpoint.register()).read().orElseThrow().head();
    this.committed = head.committed().batch().orElseThrow().value();
  }

  /** The last batch. */
  long committed() {
    return committed;
  }

  /** What is wrong with the checkpoint after a last collection; empty if all is well. */
  List<String> complaints() {
    if (head.unfinished()) {
      complaints.add("the head has a plan or a publication left");
    }
    new GarbageCollector(checkpoint.blob(), checkpoint.register()).collect(head, retainBatches);
    Set<String> named = namedState();
    named.stream()
        .filter(key -> checkpoint.blob().size(key).isEmpty())
        .forEach(key -> complaints.add("the head names a file that is gone: " + key));
    for (String key : keys(checkpoint.blob(), "")) {
      String area = key.substring(0, key.indexOf('/') < 0 ? 0 : key.indexOf('/'));
      switch (area) {
        case "tasks", "layouts", "heads" -> behind(key, committed - retainBatches);
        case "shuffle" -> behind(key, committed);
        case "state", "sink" -> {
          if (!named.contains(key)) {
            behind(key, committed - retainBatches);
          }
        }
        default -> {}
      }
    }
    notes();
    items();
    history();
    return complaints;
  }

  private Set<String> namedState() {
    Set<String> named = new HashSet<>();
    for (StateVersion version : head.committed().state().values()) {
      version.segments().stream()
          .flatMap(s -> s.files().stream())
          .map(StateFile::key)
          .forEach(named::add);
      version.obsolete().forEach(o -> named.add(o.key()));
    }
    return named;
  }

  private void behind(String key, long before) {
    Matcher batch = Pattern.compile("/(\\d{10})[-/.]").matcher(key);
    if (!batch.find() || Long.parseLong(batch.group(1)) < before) {
      complaints.add("nobody needs it, and it was not collected: " + key);
    }
  }

  /** Notes of the file source: those of the position, and those that they say they replaced. */
  private void notes() {
    Set<String> needed = new TreeSet<>();
    for (SourcePosition position : head.committed().positions()) {
      for (JsonNode note : position.json().path("notes")) {
        needed.add(note.asText());
        Optional<byte[]> bytes = checkpoint.blob().get("sources/0/" + note.asText());
        if (bytes.isEmpty()) {
          complaints.add("the position names a note that is gone: " + note.asText());
          continue;
        }
        Json.read(bytes.get(), JsonNode.class)
            .path("replaced")
            .forEach(replaced -> needed.add(replaced.path("note").asText()));
      }
    }
    for (String key : keys(checkpoint.blob(), "sources/0/")) {
      if (!needed.contains(key.substring("sources/0/".length()))) {
        complaints.add("a note that no position refers to: " + key);
      }
    }
  }

  /** Values of the state that were too large for their items. */
  private void items() {
    long swept = (committed + 1) / SWEEP_EVERY_BATCHES * SWEEP_EVERY_BATCHES - 1;
    for (String key : keys(checkpoint.blob(), "items/")) {
      Matcher parts = ITEM.matcher(key);
      if (!parts.matches()) {
        complaints.add("a value with a strange name: " + key);
      } else if (Long.parseLong(parts.group(2)) < swept
          && !isNamed(parts.group(1), parts.group(3), key)) {
        complaints.add("a value that no item names: " + key);
      }
    }
  }

  private boolean isNamed(String partition, String name, String key) {
    for (int end = name.length() - 1; end > name.length() - ATTEMPT_CHARACTERS_MAX; end--) {
      if (end > 0 && name.charAt(end) == '-') {
        Items.Key item = new Items.Key(partition, name.substring(0, end));
        for (Items.Item found : checkpoint.items().orElseThrow().get(List.of(item))) {
          String now = found.now().value().orElse("");
          String before = found.before().flatMap(Items.Version::value).orElse("");
          return now.contains(key) || before.contains(key);
        }
      }
    }
    return false;
  }

  private void history() {
    List<Long> batches =
        new History(checkpoint.blob())
            .read(head).stream().map(entry -> entry.batch().value()).toList();
    if (!batches.equals(LongStream.rangeClosed(0, committed).boxed().toList())) {
      complaints.add("the history has not each batch once: " + batches);
    }
  }

  /** Published files of a file sink. What is wrong with them is added to the complaints. */
  static List<String> published(Blob target, List<String> complaints) {
    List<String> listed = new ArrayList<>();
    Set<String> inManifests = new HashSet<>();
    for (String key : keys(target, "")) {
      if (key.startsWith("_tidemill/manifest/")) {
        Json.read(target.get(key).orElseThrow(), JsonNode.class)
            .path("files")
            .forEach(file -> inManifests.add(file.path("name").asText()));
      } else if (key.startsWith("_tidemill/staging/")) {
        complaints.add("a staged file was left: " + key);
      } else if (!key.startsWith("_tidemill/")) {
        listed.add(key);
      }
    }
    if (!new HashSet<>(listed).equals(inManifests)) {
      complaints.add("manifests name " + inManifests + ", and there is " + listed);
    }
    return listed;
  }

  private static List<String> keys(Blob blob, String prefix) {
    List<String> keys = new ArrayList<>();
    List<String> page = blob.list(prefix, "", PAGE);
    while (!page.isEmpty()) {
      keys.addAll(page);
      page = blob.list(prefix, page.get(page.size() - 1), PAGE);
    }
    return keys;
  }
}
