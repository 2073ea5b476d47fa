package io.tidemill.local;

import io.tidemill.connectors.Connectors;
import io.tidemill.connectors.SinkConnector;
import io.tidemill.connectors.SourceConnector;
import io.tidemill.connectors.console.ConsoleSinkConnector;
import io.tidemill.connectors.file.FileFormat;
import io.tidemill.connectors.file.FileSinkConnector;
import io.tidemill.connectors.file.FileSourceConnector;
import io.tidemill.connectors.kafka.KafkaConnectors;
import io.tidemill.connectors.memory.MemorySinkConnector;
import io.tidemill.connectors.memory.MemorySourceConnector;
import io.tidemill.connectors.memory.MemoryStreams;
import io.tidemill.connectors.memory.MemoryTables;
import io.tidemill.connectors.noop.NoopSinkConnector;
import io.tidemill.connectors.rate.RateMicroBatchSourceConnector;
import io.tidemill.connectors.rate.RateSourceConnector;
import io.tidemill.protocol.Ids;
import io.tidemill.storage.local.Durability;
import io.tidemill.storage.local.LocalBlob;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** The connectors that come with Tidemill. A new one is added here. */
public final class StandardConnectors {
  private StandardConnectors() {}

  /**
   * All of them.
   *
   * @param console where the console sink prints
   */
  public static Connectors of(
      InstantSource clock,
      Ids ids,
      PrintStream console,
      MemoryStreams streams,
      MemoryTables tables) {
    List<SourceConnector> sources = new ArrayList<>();
    List<SinkConnector> sinks = new ArrayList<>();
    for (FileFormat format : FileFormat.values()) {
      sources.add(new FileSourceConnector(format));
      if (format != FileFormat.TEXT) {
        sinks.add(
            new FileSinkConnector(
                format, path -> new LocalBlob(Path.of(path), ids, clock, Durability.SYNC)));
      }
    }
    sources.add(KafkaConnectors.source());
    sources.add(new RateSourceConnector(clock));
    sources.add(new RateMicroBatchSourceConnector());
    sources.add(new MemorySourceConnector(streams));
    sinks.add(KafkaConnectors.sink());
    sinks.add(new ConsoleSinkConnector(console));
    sinks.add(new MemorySinkConnector(tables));
    sinks.add(new NoopSinkConnector());
    return new Connectors(sources, sinks);
  }
}
