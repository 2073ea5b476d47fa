package io.tidemill.connectors.testing;

import io.tidemill.connectors.SourceLog;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A source log that counts and keeps its notes in memory. */
public final class NotesInMemory implements SourceLog {
  private final Map<String, byte[]> notes = new TreeMap<>();
  private int written;
  private int reads;

  @Override
  public String write(long number, byte[] note) {
    String name = number + "-n" + ++written;
    notes.put(name, note);
    return name;
  }

  @Override
  public List<String> upTo(long number) {
    return notes.keySet().stream()
        .filter(name -> Long.parseLong(name.substring(0, name.indexOf('-'))) <= number)
        .toList();
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
