package io.tidemill.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.orchestrator.progress.QueryProgress;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.Items;
import io.tidemill.storage.memory.MemoryItems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Every recorded scenario gives what Spark gave, step by step. */
class ScenarioTest {
  @TempDir Path directory;

  @TestFactory
  @Execution(ExecutionMode.CONCURRENT)
  Stream<DynamicTest> scenarioGivesWhatSparkGave() {
    Set<String> unsupported = Corpus.names("unsupported.txt");
    Pattern chosen = Pattern.compile(System.getProperty("scenario", ".*"));
    return Corpus.scenarios().stream()
        .filter(s -> chosen.matcher(s.path("name").asText()).matches())
        .map(
            s -> {
              String name = s.path("name").asText();
              return DynamicTest.dynamicTest(
                  name,
                  () -> {
                    if (unsupported.contains(name)) {
                      refused(s);
                    } else {
                      replay(s);
                    }
                  });
            });
  }

  /** The same with state in items, where that is possible: not for all of a state at once. */
  @TestFactory
  @Execution(ExecutionMode.CONCURRENT)
  Stream<DynamicTest> stateInItemsGivesTheSame() {
    Set<String> unsupported = Corpus.names("unsupported.txt");
    Pattern chosen = Pattern.compile(System.getProperty("scenario", ".*"));
    return Corpus.scenarios().stream()
        .filter(s -> chosen.matcher(s.path("name").asText()).matches())
        .filter(s -> !s.path("mode").asText().equals("complete"))
        .filter(s -> !unsupported.contains(s.path("name").asText()))
        .filter(s -> s.path("steps").findValues("stateRows").stream().anyMatch(r -> r.asLong() > 0))
        .map(
            s ->
                DynamicTest.dynamicTest(
                    s.path("name").asText(),
                    () -> replay(s, "items", Optional.of(new MemoryItems()))));
  }

  /** What is not supported yet must say so; once it works, the name has to leave the list. */
  private void refused(JsonNode scenario) {
    assertThatThrownBy(() -> replay(scenario))
        .isInstanceOfSatisfying(
            TidemillException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED));
  }

  private void replay(JsonNode scenario) throws InterruptedException {
    replay(scenario, "objects", Optional.empty());
  }

  private void replay(JsonNode scenario, String folder, Optional<Items> items)
      throws InterruptedException {
    Set<String> approximate = new HashSet<>();
    scenario.path("approximate").forEach(a -> approximate.add(a.asText().toLowerCase(Locale.ROOT)));
    List<String> wrong = new ArrayList<>();
    try (ScenarioRun run =
        new ScenarioRun(
            scenario, directory.resolve(folder).resolve(scenario.path("name").asText()), items)) {
      int number = 0;
      for (JsonNode step : scenario.path("steps")) {
        ScenarioRun.Step actual = run.step(step);
        String at = "step " + number++ + ": ";
        Expected.differences(step.path("output"), actual.output(), approximate)
            .forEach(d -> wrong.add(at + d));
        compare(wrong, at, step, actual);
      }
    }
    if (items.isPresent() && scenario.path("sql").asText().contains("within_watermark")) {
      // Items whose time does not follow from the key stay until they are asked for again.
      wrong.removeIf(difference -> difference.contains(": state rows: "));
    }
    assertThat(wrong).isEmpty();
  }

  private static void compare(
      List<String> wrong, String at, JsonNode step, ScenarioRun.Step actual) {
    differs(wrong, at + "state rows", step.path("stateRows").asLong(), actual.stateRows());
    differs(wrong, at + "dropped", step.path("dropped").asLong(), actual.droppedGroups());
    JsonNode batches = step.path("batches");
    differs(wrong, at + "batches", batches.size(), actual.batches().size());
    for (int i = 0; i < Math.min(batches.size(), actual.batches().size()); i++) {
      JsonNode expected = batches.get(i);
      QueryProgress batch = actual.batches().get(i);
      String where = at + "batch " + i + " ";
      differs(
          wrong, where + "rows", expected.path("output").asLong(), batch.sink().numOutputRows());
      differs(
          wrong,
          where + "dropped",
          expected.path("dropped").asLong(),
          ScenarioRun.Step.droppedGroups(batch));
      String watermark =
          expected.path("watermark").isNull() ? null : expected.path("watermark").asText();
      differs(
          wrong,
          where + "watermark",
          watermark,
          batch.eventTime().map(e -> e.watermark()).orElse(null));
    }
  }

  private static void differs(List<String> wrong, String what, Object expected, Object actual) {
    if (!String.valueOf(expected).equals(String.valueOf(actual))) {
      wrong.add(what + ": expected " + expected + ", was " + actual);
    }
  }
}
