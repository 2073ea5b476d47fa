package io.tidemill.connectors.testing;

import io.tidemill.connectors.SourceLog;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A source log that counts and keeps its notes in memory. */
public final class NotesInMemory implements SourceLog {
  private final Map<String, byte[]> notes = new TreeMap<>();
  private int written;
  private int reads;

  @Override
  public String write(byte[] note) {
    String name = "n" + ++written;
    notes.put(name, note);
    return name;
  }

  @Override
  public Optional<byte[]> read(String name) {
    reads++;
    return Optional.ofNullable(notes.get(name));
  }

  @Override
  public void delete(String name) {
    notes.remove(name);
  }

  /** How often a note was asked for. */
  public int reads() {
    return reads;
  }

  public int size() {
    return notes.size();
  }
}
