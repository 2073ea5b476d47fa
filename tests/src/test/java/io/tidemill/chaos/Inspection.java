package io.tidemill.chaos;

import io.tidemill.chaos.ChaosOrders.Target;
import io.tidemill.crash.TopicReader;
import io.tidemill.storage.Blob;
import io.tidemill.storage.Locations;
import io.tidemill.storage.Store;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks at what a query has left, once it has come to rest.
 *
 * @param batches committed
 * @param rows of the result
 * @param complaints what is wrong; empty if all is well
 */
record Inspection(long batches, int rows, List<String> complaints) {
  private static final int SHOWN_MAX = 5;

  /**
   * Where to look.
   *
   * @param servers of Kafka
   * @param directory for what is written meanwhile
   */
  record Place(Cloud cloud, Target target, String servers, String topic, Path directory) {}

  static Inspection of(Place place, ChaosOrders orders) throws Exception {
    Locations locations = place.cloud().locations(Life.CALM, place.directory().resolve("looking"));
    List<String> complaints = new ArrayList<>();
    try (Store checkpoint =
            locations.store(Locations.child(place.cloud().checkpoints(), ChaosOrders.QUERY));
        Blob target = locations.blob(place.cloud().results())) {
      List<String> result = result(place, target, complaints);
      List<String> expected = orders.expected();
      if (expected.isEmpty() || !result.equals(expected)) {
        complaints.add(difference(result, expected));
      }
      Remains remains = new Remains(checkpoint, ChaosOrders.RETAIN_BATCHES);
      complaints.addAll(remains.complaints());
      return new Inspection(remains.committed() + 1, result.size(), complaints);
    }
  }

  private static List<String> result(Place place, Blob target, List<String> complaints)
      throws Exception {
    if (place.target() == Target.PARQUET) {
      List<Path> files = new ArrayList<>();
      Remains.published(target, complaints)
          .forEach(key -> files.add(target.localFile(key).orElseThrow()));
      return ChaosOrders.ofFiles(files);
    }
    List<String> values = new ArrayList<>();
    TopicReader.read(
        place.servers(), place.topic(), "read_committed", record -> values.add(record.value()));
    return ChaosOrders.ofRecords(place.directory().resolve("values.json"), values);
  }

  private static String difference(List<String> result, List<String> expected) {
    List<String> missing = new ArrayList<>(expected);
    result.forEach(missing::remove);
    List<String> surplus = new ArrayList<>(result);
    expected.forEach(surplus::remove);
    return "missing " + shown(missing) + ", too many " + shown(surplus);
  }

  private static String shown(List<String> rows) {
    return rows.size() + ": " + rows.subList(0, Math.min(SHOWN_MAX, rows.size()));
  }
}
