package io.tidemill.broker;

import java.util.concurrent.CompletableFuture;
import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.server.Server;
import kafka.server.SharedServer;
import kafka.server.StandardFaultHandlerFactory;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.raft.QuorumConfig;
import org.apache.kafka.server.ServerSocketFactory;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/**
 * A broker and its controller, put together as {@link KafkaRaftServer} does, which takes no sockets
 * from outside. Not thread-safe.
 */
final class SingleNode {
  private final ControllerServer controller;
  private final BrokerServer broker;

  /**
   * @param config of a node with both roles, whose directory is formatted
   * @param sockets where it gets what it listens on
   */
  SingleNode(KafkaConfig config, ServerSocketFactory sockets) {
    Tuple2<MetaPropertiesEnsemble, BootstrapMetadata> directory =
        KafkaRaftServer.initializeLogDirs(config, LoggerFactory.getLogger(SingleNode.class), "");
    QuorumConfig quorum = config.quorumConfig();
    SharedServer shared =
        new SharedServer(
            config,
            directory._1(),
            Time.SYSTEM,
            Server.initializeMetrics(config, Time.SYSTEM, directory._1().clusterId().orElseThrow()),
            CompletableFuture.completedFuture(QuorumConfig.parseVoterConnections(quorum.voters())),
            QuorumConfig.parseBootstrapServers(quorum.bootstrapServers()),
            new StandardFaultHandlerFactory(),
            sockets);
    broker = new BrokerServer(shared);
    controller = new ControllerServer(shared, KafkaRaftServer.configSchema(), directory._2());
  }

  /** Returns when clients are served. */
  void start() {
    controller.startup();
    broker.startup();
  }

  /** Ends whatever has started, and waits for it. */
  void stop() {
    // The broker says good-bye to the controller.
    broker.shutdown();
    controller.shutdown();
    broker.awaitShutdown();
    controller.awaitShutdown();
  }
}
