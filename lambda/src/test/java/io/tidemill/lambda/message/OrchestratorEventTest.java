package io.tidemill.lambda.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.protocol.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OrchestratorEventTest {
  private static final JobReference JOB =
      new JobReference("job.sql", "hash", "revenue", Map.of("A", "b"));

  @Test
  void onlyTheRestOfARunThatHadABatchSaysSoWhichEarlierVersionsDoNotKnow() {
    assertThat(Json.write(OrchestratorEvent.trigger(JOB))).doesNotContain("continued");
    assertThat(Json.write(OrchestratorEvent.rest(JOB, false))).doesNotContain("continued");

    OrchestratorEvent rest = OrchestratorEvent.rest(JOB, true);

    assertThat(Json.read(Json.write(rest), OrchestratorEvent.class)).isEqualTo(rest);
    assertThat(rest.continued()).isTrue();
  }

  @Test
  void whatAnEventLeavesOutIsNotAsked() {
    OrchestratorEvent event =
        Json.read("{\"action\":\"trigger\",\"query\":\"revenue\"}", OrchestratorEvent.class);

    assertThat(event.force()).isFalse();
    assertThat(event.continued()).isFalse();
    assertThat(event.job()).isEmpty();
  }
}
