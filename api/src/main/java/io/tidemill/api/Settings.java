package io.tidemill.api;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.job.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Settings of a session, under the names that job files use or under Spark's. They count for the
 * queries started after they are set. Thread-safe.
 */
public final class Settings {
  static final String CHECKPOINT = "checkpointLocation";

  /** Names of the job file by Spark's. */
  private static final Map<String, String> NAMES =
      new TreeMap<>(
          Map.of(
              "spark.sql.streaming.checkpointlocation", CHECKPOINT,
              "spark.sql.streaming.nodatamicrobatches.enabled", "noDataBatches",
              "spark.sql.streaming.multiplewatermarkpolicy", "watermarkPolicy",
              "spark.sql.streaming.minbatchestoretain", "retainBatches"));

  private static final List<String> KNOWN =
      List.of(CHECKPOINT, "noDataBatches", "watermarkPolicy", "idleTimeout", "retainBatches");

  private final Map<String, String> values = new ConcurrentSkipListMap<>();

  Settings() {}

  /** Sets a value; it is checked when a query starts. */
  public void set(String name, Object value) {
    values.put(known(name), String.valueOf(value));
  }

  public Optional<String> get(String name) {
    return Optional.ofNullable(values.get(known(name)));
  }

  public void unset(String name) {
    values.remove(known(name));
  }

  private static String known(String name) {
    String own = NAMES.getOrDefault(name.toLowerCase(Locale.ROOT), name);
    return KNOWN.stream()
        .filter(own::equalsIgnoreCase)
        .findFirst()
        .orElseThrow(
            () ->
                new TidemillException(
                        ErrorCode.UNKNOWN_OPTION,
                        "There is no such setting." + Nearest.hint(name, KNOWN))
                    .with("name", name)
                    .with("known", String.join(", ", KNOWN)));
  }

  Optional<String> checkpointLocation() {
    return Optional.ofNullable(values.get(CHECKPOINT));
  }

  /** The SET statements of a job file that say the same. */
  List<Statement> statements() {
    List<Statement> statements = new ArrayList<>();
    values.forEach(
        (name, value) -> {
          if (!name.equals(CHECKPOINT)) {
            statements.add(new Statement.Set(name, value, 0));
          }
        });
    return statements;
  }
}
