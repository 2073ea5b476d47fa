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
import io.tidemill.storage.Locations;
import io.tidemill.storage.local.LocalPaths;
import java.io.PrintStream;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The connectors that come with Tidemill. A new one is added here. */
public final class StandardConnectors {
  /** Sinks of which nothing stays, so that a checkpoint need not stay either. */
  private static final Set<String> PASSING_SINKS =
      Set.of("console", "memory", "noop", "foreach-batch");

  private StandardConnectors() {}

  /** Whether nothing stays of what a sink of this name, in small letters, is given. */
  public static boolean isPassing(String sink) {
    return PASSING_SINKS.contains(sink);
  }

  /**
   * All of them, for files of this machine.
   *
   * @param console where the console sink prints
   */
  public static Connectors of(
      InstantSource clock,
      Ids ids,
      PrintStream console,
      MemoryStreams streams,
      MemoryTables tables) {
    Locations paths = new Locations(Map.of("file", new LocalPaths(ids, clock)));
    return of(paths, clock, console, streams, tables);
  }

  /**
   * All of them.
   *
   * @param locations opens what file sources and sinks name
   * @param console where the console sink prints
   */
  public static Connectors of(
      Locations locations,
      InstantSource clock,
      PrintStream console,
      MemoryStreams streams,
      MemoryTables tables) {
    List<SourceConnector> sources = new ArrayList<>();
    List<SinkConnector> sinks = new ArrayList<>();
    for (FileFormat format : FileFormat.values()) {
      sources.add(new FileSourceConnector(format, locations::files));
      if (format != FileFormat.TEXT) {
        sinks.add(new FileSinkConnector(format, locations::blob));
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
