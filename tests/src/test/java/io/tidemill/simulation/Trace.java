package io.tidemill.simulation;

import java.util.ArrayList;
import java.util.List;

/** What happened, in order. */
final class Trace {
  private static final int TAIL = 60;

  private final List<String> lines = new ArrayList<>();

  /** Adds the parts as one line. */
  void add(Object... parts) {
    StringBuilder line = new StringBuilder();
    for (Object part : parts) {
      line.append(part).append(' ');
    }
    lines.add(line.toString());
  }

  List<String> lines() {
    return lines;
  }

  /** The newest lines, for messages. */
  String tail() {
    int from = Math.max(0, lines.size() - TAIL);
    return String.join("\n", lines.subList(from, lines.size()));
  }
}
