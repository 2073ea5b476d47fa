package io.tidemill.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.error.Category;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.compile.JobCompiler;
import io.tidemill.query.job.JobParser;
import io.tidemill.query.job.JobText;
import io.tidemill.query.job.Variables;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LegalityTest {
  /** Spark refuses DISTINCT aggregates; here they work wherever the query is legal without. */
  private static final Set<String> BETTER =
      Set.of(
          "count-distinct-complete",
          "count-distinct-windowed-append",
          "count-distinct-windowed-complete",
          "count-distinct-windowed-update",
          "sum-distinct-complete",
          "sum-distinct-update");

  @Test
  void aQueryIsAcceptedOrRefusedAsBySparkOrSaysThatItsFeatureIsNotThereYet() {
    List<String> wrong = new ArrayList<>();
    int decided = 0;
    for (JsonNode pair : Corpus.legality()) {
      String name = pair.path("name").asText();
      Optional<TidemillException> refused = compile(pair);
      if (refused.map(e -> e.code() == ErrorCode.UNSUPPORTED).orElse(false)) {
        boolean later =
            pair.path("sql")
                .asText()
                .toUpperCase(java.util.Locale.ROOT)
                .matches("(?s).*(SESSION|JOIN).*");
        if (!later) {
          wrong.add(name + " is said not to be supported: " + refused.get().text());
        }
        continue;
      }
      decided++;
      boolean legal = pair.path("legal").asBoolean() || BETTER.contains(name);
      boolean byRule = refused.map(e -> e.category() == Category.INVALID).orElse(true);
      if (legal != refused.isEmpty() || !byRule) {
        wrong.add(name + " " + refused.map(TidemillException::text).orElse("is accepted"));
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(decided).isGreaterThan(120);
  }

  private static Optional<TidemillException> compile(JsonNode pair) {
    try {
      JobCompiler.compile(
          JobParser.parse(
              new JobText(pair.path("name").asText(), ScenarioJob.text(pair)), Variables.none()),
          new ScenarioSchemas());
      return Optional.empty();
    } catch (TidemillException e) {
      return Optional.of(e);
    }
  }
}
