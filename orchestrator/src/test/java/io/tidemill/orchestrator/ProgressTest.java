package io.tidemill.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.orchestrator.progress.QueryProgress;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.OutputMode;
import io.tidemill.query.plan.Trigger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final Mill mill =
      new Mill(Plans.aggregate(1, OutputMode.UPDATE, Plans.settings(Trigger.asFastAsPossible())));

  @Test
  void theFieldsHaveSparksNames() {
    JsonNode json = second();

    assertThat(names(json))
        .containsExactlyInAnyOrder(
            "id",
            "runId",
            "name",
            "timestamp",
            "batchId",
            "batchDuration",
            "numInputRows",
            "inputRowsPerSecond",
            "processedRowsPerSecond",
            "durationMs",
            "eventTime",
            "stateOperators",
            "sources",
            "sink");
    assertThat(names(json.get("durationMs")))
        .containsExactlyInAnyOrder(
            "triggerExecution",
            "latestOffset",
            "queryPlanning",
            "walCommit",
            "addBatch",
            "commitOffsets",
            "publish");
    assertThat(names(json.get("eventTime")))
        .containsExactlyInAnyOrder("max", "min", "avg", "watermark");
    assertThat(names(json.get("stateOperators").get(0)))
        .containsExactlyInAnyOrder(
            "operatorName",
            "numRowsTotal",
            "numRowsUpdated",
            "numRowsRemoved",
            "memoryUsedBytes",
            "numRowsDroppedByWatermark",
            "numShufflePartitions",
            "customMetrics");
    assertThat(names(json.get("sources").get(0)))
        .containsExactlyInAnyOrder(
            "description",
            "startOffset",
            "endOffset",
            "latestOffset",
            "numInputRows",
            "inputRowsPerSecond",
            "processedRowsPerSecond",
            "metrics");
    assertThat(names(json.get("sink"))).containsExactlyInAnyOrder("description", "numOutputRows");
  }

  @Test
  void theValuesAreThoseOfTheBatch() {
    JsonNode json = second();

    assertThat(json.get("name").asText()).isEqualTo("out");
    assertThat(json.get("timestamp").asText()).isEqualTo("1970-01-01T00:16:42.000Z");
    assertThat(json.get("batchId").asLong()).isEqualTo(2);
    assertThat(json.get("batchDuration").asLong()).isEqualTo(400);
    assertThat(json.get("numInputRows").asLong()).isEqualTo(3);
    assertThat(json.get("inputRowsPerSecond").asDouble()).isEqualTo(1.5);
    assertThat(json.get("processedRowsPerSecond").asDouble()).isEqualTo(7.5);
    assertThat(json.get("durationMs").get("addBatch").asLong()).isEqualTo(400);
    assertThat(json.get("eventTime").toString())
        .isEqualTo(
            "{\"max\":\"1970-01-01T00:00:00.400Z\",\"min\":\"1970-01-01T00:00:00.200Z\","
                + "\"avg\":\"1970-01-01T00:00:00.300Z\",\"watermark\":\"1970-01-01T00:00:00.090Z\"}");
    JsonNode operator = json.get("stateOperators").get(0);
    assertThat(operator.get("operatorName").asText()).isEqualTo("stateStoreSave");
    assertThat(operator.get("numRowsTotal").asLong()).isEqualTo(4);
    assertThat(operator.get("numRowsUpdated").asLong()).isEqualTo(3);
    assertThat(operator.get("numRowsRemoved").asLong()).isEqualTo(1);
    assertThat(operator.get("numRowsDroppedByWatermark").asLong()).isEqualTo(2);
    assertThat(operator.get("customMetrics").get("numGroupsDroppedByWatermark").asLong())
        .isEqualTo(1);
    assertThat(operator.get("numShufflePartitions").asLong()).isEqualTo(1);
    JsonNode source = json.get("sources").get(0);
    assertThat(source.get("startOffset").toString()).isEqualTo("{\"rows\":1}");
    assertThat(source.get("endOffset").toString()).isEqualTo("{\"rows\":4}");
    assertThat(source.get("metrics").get("numMalformedRows").asText()).isEqualTo("0");
    assertThat(json.get("sink").get("numOutputRows").asLong()).isEqualTo(1);
  }

  @Test
  void latestOffsetShowsTheBacklogOfEveryBatch() {
    mill.source().limit = 1;
    mill.source().add(100, 200, 300);
    mill.openAndRun();

    assertThat(mill.progress)
        .filteredOn(progress -> progress.numInputRows() > 0)
        .extracting(progress -> json(progress).get("sources").get(0).get("latestOffset").toString())
        .hasSize(3)
        .containsOnly("{\"rows\":3}");
  }

  @Test
  void ratesThatAreNoNumbersAreLeftOut() {
    mill.source().add(100);
    mill.openAndRun();

    assertThat(names(json(mill.progress.get(0))))
        .doesNotContain("inputRowsPerSecond", "processedRowsPerSecond");
  }

  @Test
  void aQueryWithoutEventTimeHasNoEventTimes() {
    Mill plain = new Mill(Plans.stateless(Trigger.once()));
    plain.source().add(1);
    plain.openAndRun();

    assertThat(names(json(plain.progress.get(0)))).doesNotContain("eventTime");
  }

  @Test
  void progressIsReadBackFromItsJson() {
    second();
    QueryProgress last = mill.progress.get(2);
    assertThat(Json.read(last.json(), QueryProgress.class).json()).isEqualTo(last.json());
  }

  /** Runs a batch of one row and one without data, then, two seconds later, a batch of three. */
  private JsonNode second() {
    mill.source().add(100);
    SteppedRun run = mill.openAndRun();
    mill.clock.advance(2_000);
    mill.source().add(200, 300, 400);
    mill.functions.hold = true;
    mill.run(run);
    mill.clock.advance(400);
    mill.functions.hold = false;
    mill.functions.held.get(0).complete(mill.functions.run(mill.functions.requests.get(2)));
    mill.run(run);
    return json(mill.progress.get(2));
  }

  private static JsonNode json(QueryProgress progress) {
    return Json.read(progress.json(), JsonNode.class);
  }

  private static List<String> names(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
