package io.tidemill.lambda.platform;

import io.tidemill.protocol.Json;
import java.io.PrintStream;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Metrics as lines of a function's log, from which CloudWatch takes them without a call: the <a
 * href="https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html">embedded
 * metric format</a>. Each metric has the query for its dimension. Thread-safe.
 */
public final class EmbeddedMetrics {
  private static final String DIMENSION = "Query";

  private final String namespace;
  private final PrintStream log;
  private final InstantSource clock;

  /**
   * @param namespace of all metrics
   */
  public EmbeddedMetrics(String namespace, PrintStream log, InstantSource clock) {
    this.namespace = namespace;
    this.log = log;
    this.clock = clock;
  }

  /** Writes values of one query; names that end in {@code Millis} are times, others counts. */
  public void write(String query, Map<String, Long> values) {
    List<Map<String, String>> definitions =
        new TreeMap<>(values)
            .keySet().stream().map(name -> Map.of("Name", name, "Unit", unit(name))).toList();
    Map<String, Object> line = new LinkedHashMap<>();
    line.put(
        "_aws",
        Map.of(
            "Timestamp",
            clock.millis(),
            "CloudWatchMetrics",
            List.of(
                Map.of(
                    "Namespace",
                    namespace,
                    "Dimensions",
                    List.of(List.of(DIMENSION)),
                    "Metrics",
                    definitions))));
    line.put(DIMENSION, query);
    line.putAll(values);
    log.println(Json.write(line));
  }

  private static String unit(String name) {
    return name.endsWith("Millis") ? "Milliseconds" : "Count";
  }
}
