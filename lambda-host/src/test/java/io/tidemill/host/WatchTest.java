package io.tidemill.host;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchTest {
  @TempDir Path directory;

  private static final class Heard implements Watch {
    final List<Delivery> begun = new ArrayList<>();
    final List<Ending> ended = new ArrayList<>();

    @Override
    public synchronized void begun(Delivery delivery) {
      begun.add(delivery);
    }

    @Override
    public synchronized void ended(Delivery delivery, Ending ending) {
      assertThat(begun).contains(delivery);
      ended.add(ending);
    }
  }

  @Test
  void hearsOfEveryInvocationWithTheTraceThatTheFunctionKnows() throws IOException {
    Heard heard = new Heard();
    Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
    HostSettings settings =
        HostSettings.calm(
                directory.resolve("host"),
                InstantSource.system(),
                () -> UUID.randomUUID().toString())
            .withWatch(heard)
            .withWorkingDirectory(elsewhere);
    try (LambdaHost host = LambdaHost.start(settings)) {
      host.deploy(
          new FunctionSpec(
              "watched",
              EchoFunction.zipIn(directory),
              EchoFunction.class.getName() + "::handleRequest",
              256,
              Duration.ofSeconds(30),
              1,
              false,
              Set.of(),
              Map.of()));
      Caller caller = new Caller(host.endpoint());
      JsonNode answer = Caller.json(caller.call("watched", "{\"a\":1}"));
      var unused = caller.call("watched", "\"fail\"");

      assertThat(heard.begun).extracting(Watch.Delivery::function).containsOnly("watched");
      assertThat(heard.begun.get(0).event())
          .isEqualTo("{\"a\":1}".getBytes(StandardCharsets.UTF_8));
      assertThat(heard.begun.get(0).trace())
          .isEqualTo(answer.path("trace").asText())
          .isNotEqualTo(heard.begun.get(1).trace());
      assertThat(Path.of(answer.path("directory").asText()).toRealPath())
          .isEqualTo(elsewhere.toRealPath());
      assertThat(heard.ended).extracting(Watch.Ending::failed).containsExactly(false, true);
      assertThat(heard.ended.get(0).billedMillis()).isPositive();
      assertThat(heard.ended.stream().mapToLong(Watch.Ending::billedMillis).sum())
          .isEqualTo(host.tally("watched").billedMillis());
    }
  }
}
