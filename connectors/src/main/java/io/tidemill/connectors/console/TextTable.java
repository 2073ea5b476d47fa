package io.tidemill.connectors.console;

import io.tidemill.connectors.types.SqlType;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import java.util.ArrayList;
import java.util.List;

/** Draws rows as a table with borders; numbers are set to the right. */
final class TextTable {
  private final List<String> names;
  private final List<Boolean> toTheRight;
  private final int cellCharactersMax;

  TextTable(Schema columns, int cellCharactersMax) {
    this.names = columns.names();
    this.toTheRight =
        columns.columns().stream()
            .map(Column::type)
            .map(t -> SqlType.parse(t).kind().isNumber())
            .toList();
    this.cellCharactersMax = cellCharactersMax;
  }

  /** The table with a header; a null value is shown as NULL. */
  String of(List<List<String>> rows) {
    List<List<String>> cells = new ArrayList<>();
    cells.add(names.stream().map(this::cut).toList());
    for (List<String> row : rows) {
      cells.add(row.stream().map(v -> v == null ? "NULL" : cut(oneLine(v))).toList());
    }
    int[] widths = new int[names.size()];
    for (List<String> row : cells) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], length(row.get(i)));
      }
    }
    StringBuilder text = new StringBuilder();
    rule(text, widths);
    line(text, cells.get(0), widths);
    rule(text, widths);
    cells.subList(1, cells.size()).forEach(row -> line(text, row, widths));
    rule(text, widths);
    return text.toString();
  }

  private static String oneLine(String value) {
    return value.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t");
  }

  private String cut(String value) {
    if (length(value) <= cellCharactersMax) {
      return value;
    }
    boolean dots = cellCharactersMax > 3;
    int keep = value.offsetByCodePoints(0, dots ? cellCharactersMax - 3 : cellCharactersMax);
    return value.substring(0, keep) + (dots ? "..." : "");
  }

  private static int length(String value) {
    return value.codePointCount(0, value.length());
  }

  private static void rule(StringBuilder text, int[] widths) {
    for (int width : widths) {
      text.append('+').append("-".repeat(width + 2));
    }
    text.append("+\n");
  }

  private void line(StringBuilder text, List<String> cells, int[] widths) {
    for (int i = 0; i < widths.length; i++) {
      String blanks = " ".repeat(widths[i] - length(cells.get(i)));
      text.append("| ");
      text.append(toTheRight.get(i) ? blanks + cells.get(i) : cells.get(i) + blanks);
      text.append(' ');
    }
    text.append("|\n");
  }
}
