package io.tidemill.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotTest {
  private static final String LOADED = EchoFunction.class.getName() + " source: ";

  @TempDir Path directory;
  private LambdaHost host;

  @BeforeEach
  void start() {
    host =
        LambdaHost.start(
            HostSettings.calm(
                directory.resolve("host"),
                InstantSource.system(),
                () -> UUID.randomUUID().toString()));
  }

  @AfterEach
  void stop() {
    host.close();
  }

  private void deploy(boolean snapStart, String options) throws IOException {
    host.deploy(
        new FunctionSpec(
            "echo",
            EchoFunction.zipIn(directory),
            EchoFunction.class.getName() + "::handleRequest",
            256,
            Duration.ofSeconds(30),
            2,
            snapStart,
            Set.of(),
            Map.of("JAVA_TOOL_OPTIONS", options)));
  }

  private String logsOfACall() {
    Caller caller = new Caller(host.endpoint());
    assertThat(Caller.json(caller.call("echo", "1")).path("count").asInt()).isEqualTo(1);
    return host.logs();
  }

  @Test
  void anInstanceStartsFromTheClassesOfTheSnapshot() throws IOException {
    deploy(true, "-Xlog:class+load");
    assertThat(logsOfACall()).contains(LOADED + "shared objects file");
    assertThat(host.tally("echo").coldStarts()).isEqualTo(1);
  }

  @Test
  void withoutASnapshotItReadsThemFromThePackage() throws IOException {
    deploy(false, "-Xlog:class+load");
    assertThat(logsOfACall()).contains(LOADED).doesNotContain(LOADED + "shared objects file");
  }

  @Test
  void aFunctionThatDoesNotStartIsNotDeployed() {
    assertThatThrownBy(() -> deploy(true, "-XX:+NoSuchOption"))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.INVALID_OPTION);
              assertThat(e.fields()).containsEntry("function", "echo");
            });
  }
}
