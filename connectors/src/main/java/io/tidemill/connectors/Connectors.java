package io.tidemill.connectors;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** The connectors a process knows, by name. To add one, list it where this is constructed. */
public final class Connectors {
  private final Map<String, SourceConnector> sources = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private final Map<String, SinkConnector> sinks = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

  public Connectors(Collection<SourceConnector> sources, Collection<SinkConnector> sinks) {
    sources.forEach(s -> this.sources.put(s.name(), s));
    sinks.forEach(s -> this.sinks.put(s.name(), s));
  }

  /** These and more; of two with the same name the new one counts. */
  public Connectors with(
      Collection<SourceConnector> moreSources, Collection<SinkConnector> moreSinks) {
    Connectors all = new Connectors(sources.values(), sinks.values());
    moreSources.forEach(s -> all.sources.put(s.name(), s));
    moreSinks.forEach(s -> all.sinks.put(s.name(), s));
    return all;
  }

  public SourceConnector source(String name, Options options) {
    return find(sources, "source", name, options);
  }

  public SinkConnector sink(String name, Options options) {
    return find(sinks, "sink", name, options);
  }

  private static <T> T find(Map<String, T> known, String kind, String name, Options options) {
    T found = known.get(name);
    if (found == null) {
      throw new TidemillException(
              ErrorCode.UNKNOWN_OPTION,
              "There is no "
                  + kind
                  + " connector '"
                  + name
                  + "'."
                  + Nearest.hint(name, known.keySet()))
          .with("at", options.at("connector"))
          .with("known", String.join(", ", known.keySet()))
          .with("for", options.owner());
    }
    return found;
  }
}
