package io.tidemill.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.ServerSocketChannel;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ListenersTest {
  private static final String HOST = "localhost";

  private static void listen(int port) throws IOException {
    new ServerSocket(port, 1, InetAddress.getByName(HOST)).close();
  }

  @Test
  void nobodyElseGetsAPortBeforeTheBrokerListensOnIt() throws IOException {
    try (Listeners listeners = Listeners.open(HOST, 0, Set.of("OTHER"))) {
      assertThat(listeners.ports()).containsOnlyKeys("PLAINTEXT", "CONTROLLER", "OTHER");
      assertThat(listeners.ports().values()).doesNotHaveDuplicates();
      for (int port : listeners.ports().values()) {
        assertThatThrownBy(() -> listen(port)).isInstanceOf(BindException.class);
      }
    }
  }

  @Test
  void aSocketThatIsHandedOverStaysOpenAndTheOthersAreClosed() throws IOException {
    Listeners listeners = Listeners.open(HOST, 0, Set.of());
    int port = listeners.ports().get("PLAINTEXT");
    InetSocketAddress address = new InetSocketAddress(HOST, port);
    try (ServerSocketChannel socket = listeners.openServerSocket("PLAINTEXT", address, 1, 1_000)) {
      listeners.close();
      assertThat(socket.socket().getLocalPort()).isEqualTo(port);
      assertThatThrownBy(() -> listen(port)).isInstanceOf(BindException.class);
      listen(listeners.ports().get("CONTROLLER"));
    }
    listen(port);
  }
}
