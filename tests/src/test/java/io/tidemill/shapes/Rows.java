package io.tidemill.shapes;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Compares the rows a sink got with those of the reference. */
final class Rows {
  private static final int SHOWN_MAX = 5;

  private Rows() {}

  /** The last row of each key if later ones replace earlier ones; else all. */
  static List<List<Object>> settled(Shape shape, List<Map<String, Object>> rows) {
    List<List<Object>> all = new ArrayList<>();
    Map<List<Object>, List<Object>> last = new LinkedHashMap<>();
    for (Map<String, Object> row : rows) {
      List<Object> values = new ArrayList<>();
      row.values().forEach(v -> values.add(Values.of(v)));
      all.add(values);
      List<Object> key = new ArrayList<>();
      for (String name : shape.keys()) {
        if (!row.containsKey(name)) {
          throw new IllegalArgumentException(shape.name() + " has no column " + name);
        }
        Object value = Values.of(row.get(name));
        key.add(value instanceof Double d && d == 0 ? (Object) 0.0 : value);
      }
      last.remove(key);
      last.put(key, values);
    }
    return shape.latest() ? new ArrayList<>(last.values()) : all;
  }

  /** What differs; empty if nothing does. */
  static List<String> differences(
      Shape shape, List<String> names, List<List<Object>> expected, List<List<Object>> actual) {
    List<List<Object>> wanted = expected.stream().map(r -> freed(shape, names, r)).toList();
    List<List<Object>> found = actual.stream().map(r -> freed(shape, names, r)).toList();
    return shape.ordered() ? inOrder(shape, wanted, found) : asBag(shape, wanted, found);
  }

  private static List<Object> freed(Shape shape, List<String> names, List<Object> row) {
    List<Object> freed = new ArrayList<>(row);
    for (int i = 0; i < names.size() && i < row.size(); i++) {
      if (shape.unordered().contains(names.get(i))) {
        freed.set(i, Values.sorted(row.get(i)));
      }
    }
    return freed;
  }

  private static List<String> inOrder(
      Shape shape, List<List<Object>> expected, List<List<Object>> actual) {
    List<String> differences = new ArrayList<>();
    for (int i = 0; i < Math.max(expected.size(), actual.size()); i++) {
      Object wanted = i < expected.size() ? expected.get(i) : "no row";
      Object found = i < actual.size() ? actual.get(i) : "no row";
      if (!Values.same(wanted, found, shape.tolerance())) {
        differences.add("row " + i + ": expected " + wanted + ", was " + found);
      }
    }
    return shortened(differences);
  }

  private static List<String> asBag(
      Shape shape, List<List<Object>> expected, List<List<Object>> actual) {
    Map<String, List<List<Object>>> missing = new HashMap<>();
    expected.forEach(
        r -> missing.computeIfAbsent(Values.exactPart(r), k -> new ArrayList<>()).add(r));
    List<String> differences = new ArrayList<>();
    for (List<Object> row : actual) {
      List<List<Object>> candidates = missing.getOrDefault(Values.exactPart(row), List.of());
      int match = -1;
      for (int i = 0; i < candidates.size() && match < 0; i++) {
        match = Values.same(candidates.get(i), row, shape.tolerance()) ? i : -1;
      }
      if (match >= 0) {
        candidates.remove(match);
      } else {
        differences.add("unexpected " + row);
      }
    }
    missing.values().forEach(rows -> rows.forEach(r -> differences.add("missing " + r)));
    differences.sort(Comparator.comparing(d -> d.substring(d.indexOf('['))));
    return shortened(differences);
  }

  private static List<String> shortened(List<String> differences) {
    return differences.size() <= SHOWN_MAX * 2
        ? differences
        : Stream.concat(
                differences.stream().limit(SHOWN_MAX * 2),
                Stream.of("… " + differences.size() + " in all"))
            .toList();
  }
}
