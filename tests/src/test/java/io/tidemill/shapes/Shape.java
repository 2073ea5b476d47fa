package io.tidemill.shapes;

import io.tidemill.protocol.OutputMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A query to be run as a stream and as plain DuckDB, from a file in the test resources {@code
 * shapes}. A file holds shapes like this, without the indent:
 *
 * <pre>
 * # sums keep every digit
 * update by g
 * SELECT g, sum(l) AS s FROM events GROUP BY g
 * ---
 * SELECT g, sum(l) AS s FROM events GROUP BY g
 * </pre>
 *
 * <p>What is below the dashes is the reference; without it, the query itself is. Directives are
 * {@code append}, {@code update by} keys, {@code update last} (one row in all), {@code update}
 * (every row counts), {@code complete}, {@code flush} (a row of the far future at the end closes
 * all windows; the reference does not see it), {@code unordered} columns (lists, and texts with
 * commas, whose order is free), {@code tolerance} of floating values, {@code ordered}, {@code
 * untyped} (the types of the result's columns may differ), {@code empty} (no rows are expected),
 * and "view" name AS query.
 *
 * @param latest whether a later row replaces an earlier one with the same keys
 * @param flush whether rows of the far future come last
 */
record Shape(
    String name,
    OutputMode mode,
    boolean latest,
    List<String> keys,
    boolean flush,
    boolean ordered,
    boolean typed,
    boolean empty,
    Set<String> unordered,
    double tolerance,
    List<String> views,
    String query,
    String reference) {

  /** All shapes of a file. */
  static List<Shape> read(String file) {
    try {
      return parse(Files.readAllLines(path("shapes/" + file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Names of the shape files. */
  static List<String> files() {
    try (Stream<Path> files = Files.list(path("shapes"))) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path path(String resource) {
    try {
      return Path.of(Shape.class.getResource("/" + resource).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<Shape> parse(List<String> lines) {
    List<Shape> shapes = new ArrayList<>();
    Draft draft = null;
    for (String line : lines) {
      if (line.startsWith("# ")) {
        if (draft != null) {
          shapes.add(draft.shape());
        }
        draft = new Draft(line.substring(2).strip());
      } else if (draft != null) {
        draft.add(line);
      }
    }
    if (draft != null) {
      shapes.add(draft.shape());
    }
    return shapes;
  }

  /** A shape while its lines are read. */
  private static final class Draft {
    private final String name;
    private OutputMode mode = OutputMode.APPEND;
    private boolean latest;
    private List<String> keys = List.of();
    private boolean flush;
    private boolean ordered;
    private boolean typed = true;
    private boolean empty;
    private final Set<String> unordered = new LinkedHashSet<>();
    private double tolerance = 1e-9;
    private final List<String> views = new ArrayList<>();
    private final StringBuilder query = new StringBuilder();
    private final StringBuilder reference = new StringBuilder();
    private boolean inReference;

    Draft(String name) {
      this.name = name;
    }

    void add(String line) {
      if (line.equals("---")) {
        inReference = true;
      } else if (inReference) {
        reference.append(line).append('\n');
      } else if (query.isEmpty() && isDirective(line)) {
        directive(line.strip());
      } else if (!line.isBlank() || !query.isEmpty()) {
        query.append(line).append('\n');
      }
    }

    private static boolean isDirective(String line) {
      String first = line.split(" ", 2)[0];
      return !first.isEmpty()
          && first.equals(first.toLowerCase(Locale.ROOT))
          && first.matches("[a-z]+");
    }

    private void directive(String line) {
      String[] words = line.split(" ", 2);
      String rest = words.length > 1 ? words[1].strip() : "";
      switch (words[0]) {
        case "append" -> mode = OutputMode.APPEND;
        case "complete" -> mode = OutputMode.COMPLETE;
        case "update" -> {
          mode = OutputMode.UPDATE;
          latest = !rest.isEmpty();
          keys = rest.startsWith("by ") ? List.of(rest.substring(3).split(", *")) : List.of();
        }
        case "flush" -> flush = true;
        case "ordered" -> ordered = true;
        case "untyped" -> typed = false;
        case "empty" -> empty = true;
        case "unordered" -> unordered.addAll(List.of(rest.split(", *")));
        case "tolerance" -> tolerance = Double.parseDouble(rest);
        case "view" -> views.add(rest);
        default -> throw new IllegalArgumentException(name + ": no directive " + words[0]);
      }
    }

    Shape shape() {
      String sql = query.toString().strip();
      String expected = reference.toString().strip();
      return new Shape(
          name,
          mode,
          latest,
          keys,
          flush,
          ordered,
          typed,
          empty,
          unordered,
          tolerance,
          views,
          sql,
          expected.isEmpty() ? sql : expected);
    }
  }
}
