package io.tidemill.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.schema.Sql;
import java.util.ArrayList;
import java.util.List;

/** Writes the job file of a conformance scenario. */
final class ScenarioJob {
  private ScenarioJob() {}

  /** The job over memory streams and tables, named as in the scenario, into the sink "result". */
  static String text(JsonNode scenario) {
    StringBuilder job = new StringBuilder();
    scenario
        .path("streams")
        .fields()
        .forEachRemaining(
            s -> {
              List<String> columns = columns(s.getValue());
              JsonNode watermark = s.getValue().path("watermark");
              if (watermark.isObject()) {
                String column = Sql.name(watermark.path("column").asText());
                columns.add(
                    "WATERMARK FOR "
                        + column
                        + " AS "
                        + column
                        + " - INTERVAL '"
                        + watermark.path("delay").asText()
                        + "'");
              }
              create(job, "STREAM", s.getKey(), columns);
            });
    scenario
        .path("tables")
        .fields()
        .forEachRemaining(t -> create(job, "TABLE", t.getKey(), columns(t.getValue())));
    job.append("CREATE SINK result WITH (connector = 'memory', mode = '")
        .append(scenario.path("mode").asText())
        .append("');\n");
    JsonNode conf = scenario.path("conf");
    if (conf.has("spark.sql.streaming.noDataMicroBatches.enabled")) {
      job.append("SET noDataBatches = false;\n");
    }
    if (conf.has("spark.sql.streaming.multipleWatermarkPolicy")) {
      job.append("SET watermarkPolicy = 'max';\n");
    }
    return job.append("INSERT INTO result\n")
        .append(scenario.path("sql").asText())
        .append(";\n")
        .toString();
  }

  private static void create(StringBuilder job, String kind, String name, List<String> columns) {
    job.append("CREATE ")
        .append(kind)
        .append(' ')
        .append(name)
        .append(" (")
        .append(String.join(", ", columns))
        .append(") WITH (connector = 'memory', name = '")
        .append(name)
        .append("');\n");
  }

  private static List<String> columns(JsonNode table) {
    List<String> columns = new ArrayList<>();
    table
        .path("columns")
        .fields()
        .forEachRemaining(c -> columns.add(Sql.name(c.getKey()) + " " + c.getValue().asText()));
    return columns;
  }
}
