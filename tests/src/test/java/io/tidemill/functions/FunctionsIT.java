package io.tidemill.functions;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.host.Faults;
import io.tidemill.host.Tally;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FunctionsIT {
  @TempDir Path directory;

  @Test
  void aJobRunsThroughTheDeployedFunctions() throws Exception {
    Orders orders = new Orders(directory);
    orders.add(8, 500);
    try (Deployment deployment =
        new Deployment(
            directory.resolve("host"),
            orders.jobs(),
            Faults.NONE,
            Map.of("DIR", directory.toString()))) {
      JsonNode answer = deployment.ask("{\"action\":\"trigger\",\"query\":\"revenue\"}");

      assertThat(answer.path("outcome").asText()).isEqualTo("done");
      assertThat(answer.path("inputRows").asLong()).isEqualTo(4_000);
      assertThat(orders.result()).isNotEmpty().isEqualTo(orders.expected());
      Tally tasks = deployment.host().tally(Deployment.BATCH);
      assertThat(tasks.coldStarts()).isEqualTo(1);

      long before = tasks.invocations();
      JsonNode idle = deployment.ask("{\"action\":\"trigger\",\"job\":\"orders.sql\"}");
      assertThat(idle.path("batches").asLong()).isZero();
      assertThat(deployment.host().tally(Deployment.BATCH).invocations()).isEqualTo(before);
      assertThat(deployment.host().logs()).contains("\"Namespace\":\"Tidemill\"");
    }
  }
}
