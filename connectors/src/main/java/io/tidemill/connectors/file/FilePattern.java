package io.tidemill.connectors.file;

import io.tidemill.storage.Locations;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Which files a path option means: a file, a directory, or a glob of either with {@code *}, {@code
 * ?}, {@code [ab]}, {@code {a,b}} within a name and {@code **} for any depth. Of a directory, the
 * files directly in it and in {@code name=value} directories below count, or all files below if
 * lookup is recursive. Names that start with "_" or "." are never found unless written out.
 */
final class FilePattern {
  private final String text;
  private final String base;
  private final List<Segment> segments = new ArrayList<>();
  private final Optional<PathMatcher> nameFilter;
  private final boolean recursive;

  /** One name of the path below the base. */
  private record Segment(String text, boolean wild, PathMatcher matcher) {
    boolean anyDepth() {
      return text.equals("**");
    }

    boolean matches(String name) {
      return wild ? visible(name) && matcher.matches(Path.of(name)) : text.equals(name);
    }
  }

  FilePattern(String text, Optional<String> nameFilter, boolean recursive) {
    this.text = text;
    this.nameFilter = nameFilter.map(FilePattern::matcher);
    this.recursive = recursive;
    Optional<String> root = root(text);
    String path =
        root.map(r -> text.substring(Math.min(r.length(), text.length())))
            .orElseGet(() -> text.replaceFirst("^file:(//)?", ""));
    String prefix = root.orElse(path.startsWith("/") ? "/" : "");
    for (String name : Arrays.stream(path.split("/")).filter(n -> !n.isEmpty()).toList()) {
      boolean wild = name.matches(".*[*?\\[{].*");
      if (segments.isEmpty() && !wild && !name.contains("=")) {
        prefix += prefix.isEmpty() || prefix.endsWith("/") ? name : "/" + name;
      } else {
        segments.add(new Segment(name, wild, wild ? matcher(name) : null));
      }
    }
    this.base =
        root.isPresent() ? prefix : Locations.path(prefix).toAbsolutePath().normalize().toString();
  }

  /** What all paths of a location with a scheme start with: {@code s3://BUCKET/}. */
  static Optional<String> root(String location) {
    if (Locations.scheme(location).isEmpty()) {
      return Optional.empty();
    }
    int end = location.indexOf('/', location.indexOf("://") + 3);
    return Optional.of(end < 0 ? location + "/" : location.substring(0, end + 1));
  }

  private static PathMatcher matcher(String glob) {
    return FileSystems.getDefault().getPathMatcher("glob:" + glob);
  }

  /** True if the name is one that sources read. */
  static boolean visible(String name) {
    boolean hidden =
        (name.startsWith("_") && !name.contains("="))
            || name.startsWith(".")
            || name.endsWith("._COPYING_");
    return !hidden;
  }

  /** The path as written. */
  String text() {
    return text;
  }

  /** The directory (or file) above everything that can match. */
  String base() {
    return base;
  }

  boolean isGlob() {
    return segments.stream().anyMatch(Segment::wild);
  }

  /** The directory if the pattern is one plain directory or file. */
  Optional<String> plainPath() {
    if (isGlob()) {
      return Optional.empty();
    }
    StringBuilder path = new StringBuilder(base);
    segments.forEach(s -> path.append('/').append(s.text()));
    return Optional.of(path.toString());
  }

  boolean isRecursive() {
    return recursive;
  }

  /** Names of {@code name=value} segments written in the path itself. */
  List<String> partitionNames() {
    return segments.stream()
        .map(Segment::text)
        .filter(s -> s.indexOf('=') > 0)
        .map(s -> s.substring(0, s.indexOf('=')))
        .toList();
  }

  /** True if a file of that path is meant. */
  boolean accepts(String path) {
    List<String> names = below(path);
    BitSet states = start();
    for (int i = 0; i < names.size(); i++) {
      states = step(states, names.get(i), i == names.size() - 1);
    }
    String name = path.substring(path.lastIndexOf('/') + 1);
    return states.get(segments.size())
        && nameFilter.map(f -> f.matches(Path.of(name))).orElse(true);
  }

  /** True if a directory may hold files that are meant. */
  boolean mayHold(String directory) {
    BitSet states = start();
    for (String name : below(directory)) {
      states = step(states, name, false);
    }
    return !states.isEmpty();
  }

  /** The names of a path below the base. */
  List<String> below(String path) {
    if (path.equals(base)) {
      return List.of();
    }
    int start = base.endsWith("/") ? base.length() : base.length() + 1;
    return List.of(path.substring(start).split("/"));
  }

  private BitSet start() {
    BitSet states = new BitSet();
    add(states, 0);
    return states;
  }

  private BitSet step(BitSet states, String name, boolean isFile) {
    BitSet next = new BitSet();
    for (int i = states.nextSetBit(0); i >= 0; i = states.nextSetBit(i + 1)) {
      if (i == segments.size()) {
        if (visible(name) && (isFile || recursive || name.contains("="))) {
          next.set(i);
        }
      } else if (segments.get(i).anyDepth()) {
        if (visible(name)) {
          add(next, isFile ? i + 1 : i);
        }
      } else if (segments.get(i).matches(name)) {
        add(next, i + 1);
      }
    }
    return next;
  }

  /** Adds a state and those behind it that need no name. */
  private void add(BitSet states, int state) {
    states.set(state);
    if (state < segments.size() && segments.get(state).anyDepth()) {
      add(states, state + 1);
    }
  }
}
