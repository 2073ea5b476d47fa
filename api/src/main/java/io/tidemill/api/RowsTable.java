package io.tidemill.api;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rows drawn as a table of text, as Spark's {@code show} draws them. */
final class RowsTable {
  /** Longer values are cut. */
  private static final int VALUE_CHARACTERS_MAX = 20;

  private RowsTable() {}

  static String of(String[] columns, List<Row> rows) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(Arrays.asList(columns));
    for (Row row : rows) {
      lines.add(row.toList().stream().map(RowsTable::text).toList());
    }
    int[] widths = new int[columns.length];
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    StringBuilder border = new StringBuilder("+");
    for (int width : widths) {
      border.append("-".repeat(width)).append('+');
    }
    border.append('\n');
    StringBuilder table = new StringBuilder(border);
    for (int i = 0; i < lines.size(); i++) {
      table.append('|');
      for (int j = 0; j < widths.length; j++) {
        String value = lines.get(i).get(j);
        table.append(" ".repeat(widths[j] - value.length())).append(value).append('|');
      }
      table.append('\n').append(i == 0 ? border : "");
    }
    return table.append(border).toString();
  }

  private static String text(Object value) {
    String text = value instanceof byte[] bytes ? Arrays.toString(bytes) : String.valueOf(value);
    return text.length() <= VALUE_CHARACTERS_MAX
        ? text
        : text.substring(0, VALUE_CHARACTERS_MAX - 3) + "...";
  }
}
