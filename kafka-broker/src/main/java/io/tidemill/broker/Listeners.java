package io.tidemill.broker;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.server.ServerSocketFactory;

/**
 * The sockets a broker is to listen on, bound before it starts, which takes seconds: a port that
 * was only looked up would be anybody's until then. Thread-safe.
 */
final class Listeners implements ServerSocketFactory, AutoCloseable {
  /** Connections that wait to be taken, as many as Kafka has wait. */
  private static final int BACKLOG = 50;

  private final Map<String, Integer> ports = new TreeMap<>();

  /** Those that the broker has not asked for, by port. */
  private final Map<Integer, ServerSocketChannel> waiting = new ConcurrentHashMap<>();

  private Listeners() {}

  /**
   * Binds a port for the plain listener, one for the controller's, and one for each other.
   *
   * @param plain port of the plain listener, 0 for a free one as for the others
   */
  static Listeners open(String host, int plain, Set<String> others) {
    Listeners listeners = new Listeners();
    try {
      listeners.add(BrokerSettings.PLAINTEXT, host, plain);
      listeners.add(BrokerSettings.CONTROLLER, host, 0);
      for (String other : others) {
        listeners.add(other, host, 0);
      }
      return listeners;
    } catch (IOException e) {
      listeners.close();
      throw new TidemillException(
              ErrorCode.INVALID_OPTION,
              "The Kafka broker cannot listen on this port: choose another one, or 0 for a free"
                  + " one.",
              e)
          .with("port", plain);
    }
  }

  private void add(String name, String host, int wanted) throws IOException {
    ServerSocketChannel socket = ServerSocketChannel.open();
    try {
      socket.configureBlocking(false);
      socket.bind(new InetSocketAddress(InetAddress.getByName(host), wanted), BACKLOG);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
    int port = socket.socket().getLocalPort();
    ports.put(name, port);
    waiting.put(port, socket);
  }

  /** Ports by listener. */
  Map<String, Integer> ports() {
    return Collections.unmodifiableMap(ports);
  }

  /** Hands a socket over to the broker, which closes it. */
  @Override
  public ServerSocketChannel openServerSocket(
      String listener, InetSocketAddress address, int backlog, int receiveBufferBytes)
      throws IOException {
    ServerSocketChannel socket = waiting.remove(address.getPort());
    return socket == null
        ? ServerSocketFactory.INSTANCE.openServerSocket(
            listener, address, backlog, receiveBufferBytes)
        : socket;
  }

  /** Closes what the broker has not asked for. Idempotent. */
  @Override
  public void close() {
    for (int port : Set.copyOf(waiting.keySet())) {
      ServerSocketChannel socket = waiting.remove(port);
      try {
        socket.close();
      } catch (IOException e) {
        throw new TidemillException(
                ErrorCode.INTERNAL, "A port of the Kafka broker could not be given up.", e)
            .with("port", port);
      }
    }
  }
}
