package io.tidemill.connectors.memory;

import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Inputs of queries with a memory source, by name, without case. Thread-safe. */
public final class MemoryStreams {
  /** The streams of this process. */
  public static final MemoryStreams PROCESS = new MemoryStreams();

  private final ConcurrentMap<String, MemoryStream> streams = new ConcurrentHashMap<>();

  /** The stream of that name, made if it is not there. */
  public MemoryStream stream(String name) {
    return streams.computeIfAbsent(name.toLowerCase(Locale.ROOT), n -> new MemoryStream());
  }

  /** Forgets a stream and its rows. */
  public void drop(String name) {
    streams.remove(name.toLowerCase(Locale.ROOT));
  }
}
