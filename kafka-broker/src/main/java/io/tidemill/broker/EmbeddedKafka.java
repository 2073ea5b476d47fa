package io.tidemill.broker;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import kafka.server.KafkaConfig;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.RetriableException;

/**
 * A real Kafka broker and controller in this process, for development, tests and benchmarks. It
 * listens on the loopback interface only, keeps records whatever their timestamps, and takes
 * transactions. Thread-safe. Nothing of it runs on after {@link #close}.
 *
 * <p>Errors: {@code INVALID_OPTION} if the port is taken, {@code NOT_WRITABLE} if the directory
 * cannot be used, {@code INTERNAL} if the broker does not come up.
 */
public final class EmbeddedKafka implements AutoCloseable {
  private static final String HOST = "localhost";
  private static final String META = "meta.properties";
  private static final int ADMIN_SECONDS_MAX = 30;
  private static final int LEADER_TRIES_MAX = 3_000;
  private static final int LEADER_PAUSE_MILLIS = 5;

  private final SingleNode node;
  private final Path directory;
  private final boolean temporary;
  private final Map<String, Integer> ports;
  private boolean closed;

  private EmbeddedKafka(
      SingleNode node, Path directory, boolean temporary, Map<String, Integer> ports) {
    this.node = node;
    this.directory = directory;
    this.temporary = temporary;
    this.ports = ports;
  }

  /** Starts a broker on a free port with its data in a directory that goes away on close. */
  public static EmbeddedKafka start() {
    return start(Map.of());
  }

  /** Like {@link #start()}, with broker settings that override the built-in ones. */
  public static EmbeddedKafka start(Map<String, String> settings) {
    return start(settings, Set.of());
  }

  /**
   * Like {@link #start(Map)}, with more listeners on free ports beside the plain one, e.g. for
   * clients that have to authenticate.
   *
   * @param settings have the security protocol of each in {@code listener.security.protocol.map}
   * @param listeners their names
   */
  public static EmbeddedKafka start(Map<String, String> settings, Set<String> listeners) {
    try {
      Path directory = Files.createTempDirectory("tidemill-kafka");
      return start(directory, Listeners.open(HOST, 0, listeners), settings, true);
    } catch (IOException e) {
      throw new TidemillException(
          ErrorCode.NOT_WRITABLE, "No temporary directory for the Kafka broker could be made.", e);
    }
  }

  /**
   * Starts a broker that keeps its data; started again on the same directory it has all its topics.
   *
   * @param directory is created if it does not exist
   * @param port port to listen on, 0 for a free one
   */
  public static EmbeddedKafka start(Path directory, int port) {
    return start(directory, Listeners.open(HOST, port, Set.of()), Map.of(), false);
  }

  /** Closes the listeners that it does not hand over. */
  private static EmbeddedKafka start(
      Path directory, Listeners listeners, Map<String, String> settings, boolean temporary) {
    try (listeners) {
      SingleNode node = node(directory, listeners, settings);
      EmbeddedKafka broker = new EmbeddedKafka(node, directory, temporary, listeners.ports());
      broker.startUp();
      return broker;
    }
  }

  private static SingleNode node(
      Path directory, Listeners listeners, Map<String, String> settings) {
    try {
      Files.createDirectories(directory);
      Properties properties = BrokerSettings.of(HOST, listeners.ports(), directory);
      properties.putAll(settings);
      if (!Files.exists(directory.resolve("data").resolve(META))) {
        format(directory, properties);
      }
      return new SingleNode(new KafkaConfig(properties, false), listeners);
    } catch (IOException e) {
      throw new TidemillException(
              ErrorCode.NOT_WRITABLE, "The directory of the Kafka broker cannot be written.", e)
          .with("directory", directory);
    }
  }

  private void startUp() {
    boolean up = false;
    try {
      node.start();
      up = true;
    } finally {
      if (!up) {
        close();
      }
    }
  }

  private static void format(Path directory, Properties properties) throws IOException {
    Path file = directory.resolve("server.properties");
    try (var out = Files.newBufferedWriter(file)) {
      properties.store(out, null);
    }
    String id = Uuid.randomUuid().toString();
    String[] arguments = {"format", "-t", id, "-c", file.toString()};
    int code = StorageTool.execute(arguments, new PrintStream(PrintStream.nullOutputStream()));
    if (code != 0) {
      throw new TidemillException(
              ErrorCode.INTERNAL, "The storage of the Kafka broker could not be formatted.")
          .with("directory", directory)
          .with("code", code);
    }
  }

  /** Where clients connect, e.g. {@code localhost:9092}. */
  public String bootstrapServers() {
    return bootstrapServers(BrokerSettings.PLAINTEXT);
  }

  /** Where clients of a listener connect that the broker was started with. */
  public String bootstrapServers(String listener) {
    Integer port = ports.get(listener);
    if (port == null) {
      throw new TidemillException(
              ErrorCode.UNKNOWN_NAME,
              "The Kafka broker has no such listener." + Nearest.hint(listener, ports.keySet()))
          .with("listener", listener);
    }
    return HOST + ":" + port;
  }

  /** Creates a topic and returns when it can be written and read. */
  public void createTopic(String name, int partitions) {
    createTopic(name, partitions, Map.of());
  }

  /** Creates a topic with settings of its own, e.g. {@code cleanup.policy}. */
  public void createTopic(String name, int partitions, Map<String, String> settings) {
    NewTopic topic = new NewTopic(name, Optional.of(partitions), Optional.empty());
    try (Admin admin = Admin.create(adminSettings())) {
      admin
          .createTopics(List.of(topic.configs(settings)))
          .all()
          .get(ADMIN_SECONDS_MAX, TimeUnit.SECONDS);
      awaitLeaders(admin, name, partitions);
    } catch (ExecutionException | TimeoutException e) {
      throw new TidemillException(ErrorCode.INTERNAL, "A topic could not be created.", e)
          .with("topic", name);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TidemillException(ErrorCode.INTERNAL, "Interrupted while creating a topic.", e)
          .with("topic", name);
    }
  }

  private Map<String, Object> adminSettings() {
    return Map.of(
        "bootstrap.servers",
        bootstrapServers(),
        "retry.backoff.ms",
        LEADER_PAUSE_MILLIS,
        "retry.backoff.max.ms",
        LEADER_PAUSE_MILLIS);
  }

  /**
   * The controller answers before the broker has heard of the topic, and the broker tells of
   * leaders before it takes records for them. Only a leader that serves can say where its partition
   * ends. A producer that comes too early could lose the first of several batches in flight and
   * have the last one taken, and would then wait for ever.
   */
  private static void awaitLeaders(Admin admin, String name, int partitions)
      throws InterruptedException, ExecutionException, TimeoutException {
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    for (int partition = 0; partition < partitions; partition++) {
      ends.put(new TopicPartition(name, partition), OffsetSpec.latest());
    }
    for (int tries = 0; tries < LEADER_TRIES_MAX; tries++) {
      try {
        admin.listOffsets(ends).all().get(ADMIN_SECONDS_MAX, TimeUnit.SECONDS);
        return;
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof RetriableException)) {
          throw e;
        }
      }
      TimeUnit.MILLISECONDS.sleep(LEADER_PAUSE_MILLIS);
    }
    throw new TimeoutException("no leader yet");
  }

  /** Stops the broker, and removes its data if it was started without a directory. Idempotent. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    node.stop();
    if (temporary) {
      deleteData();
    }
  }

  private void deleteData() {
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new TidemillException(
              ErrorCode.INTERNAL, "The temporary data of the Kafka broker could not be removed.", e)
          .with("directory", directory);
    }
  }
}
