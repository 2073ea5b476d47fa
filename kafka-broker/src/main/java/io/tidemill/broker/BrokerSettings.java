package io.tidemill.broker;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

/** The server properties of a small broker that starts quickly and deletes nothing by age. */
final class BrokerSettings {
  static final String PLAINTEXT = "PLAINTEXT";
  static final String CONTROLLER = "CONTROLLER";

  private static final String[][] FIXED = {
    {"process.roles", "broker,controller"},
    {"node.id", "1"},
    {"controller.listener.names", CONTROLLER},
    // One broker: internal topics cannot have more replicas than that, and a few partitions of
    // them are created and loaded much faster than Kafka's 50.
    {"offsets.topic.replication.factor", "1"},
    {"offsets.topic.num.partitions", "4"},
    {"transaction.state.log.replication.factor", "1"},
    {"transaction.state.log.min.isr", "1"},
    {"transaction.state.log.num.partitions", "4"},
    {"share.coordinator.state.topic.replication.factor", "1"},
    {"share.coordinator.state.topic.min.isr", "1"},
    {"share.coordinator.state.topic.num.partitions", "1"},
    {"group.initial.rebalance.delay.ms", "0"},
    // Records carry event times, which may be years ago or ahead.
    {"log.retention.ms", "-1"},
    {"log.retention.bytes", "-1"},
    {"log.message.timestamp.after.max.ms", Long.toString(Long.MAX_VALUE)},
    {"log.cleaner.dedupe.buffer.size", Integer.toString(4 << 20)},
    {"num.network.threads", "2"},
    {"num.io.threads", "4"},
    {"background.threads", "2"},
    {"broker.heartbeat.interval.ms", "500"},
  };

  private BrokerSettings() {}

  /**
   * The properties.
   *
   * @param ports of the listeners by name, those of PLAINTEXT and CONTROLLER among them
   */
  static Properties of(String host, Map<String, Integer> ports, Path directory) {
    Properties properties = new Properties();
    for (String[] setting : FIXED) {
      properties.put(setting[0], setting[1]);
    }
    properties.put(
        "listeners",
        ports.entrySet().stream()
            .map(listener -> listener.getKey() + "://" + host + ":" + listener.getValue())
            .collect(Collectors.joining(",")));
    // A fixed quorum keeps its address out of the data, so the port can change from run to run.
    properties.put("controller.quorum.voters", "1@" + host + ":" + ports.get(CONTROLLER));
    properties.put("log.dirs", directory.resolve("data").toAbsolutePath().toString());
    return properties;
  }
}
