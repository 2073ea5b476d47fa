package io.tidemill.aws.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProcessTest {
  private static final int ROUNDS = 20;

  @TempDir private Path directory;

  /** Gives its process id for its port, and does not heed the end of its input. */
  private ServerProcess stubborn() {
    List<String> command = List.of("sh", "-c", "echo ready $$; exec sleep 600");
    return ServerProcess.start("stubborn", command, directory.resolve("log").toFile());
  }

  private static boolean isAlive(ServerProcess server) {
    return ProcessHandle.of(server.endpoint().getPort()).map(ProcessHandle::isAlive).orElse(false);
  }

  @Test
  void aServerThatHasToBeKilledIsGoneWhenItIsClosed() {
    for (int round = 0; round < ROUNDS; round++) {
      ServerProcess server = stubborn();
      assertThat(isAlive(server)).isTrue();
      // Saves the time it is given to end by itself.
      Thread.currentThread().interrupt();
      server.close();
      boolean alive = isAlive(server);
      assertThat(Thread.interrupted()).as("the interrupt is handed on").isTrue();
      assertThat(alive).isFalse();
    }
  }
}
