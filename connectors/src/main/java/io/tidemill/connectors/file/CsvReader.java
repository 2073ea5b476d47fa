package io.tidemill.connectors.file;

import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.schema.Column;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads CSV files: one list of fields per record, in the order of the declared columns. A record
 * that is no CSV or has another number of fields than it should has null for its fields and says
 * why; so do all records of a file whose header does not name exactly the declared columns.
 */
final class CsvReader implements RecordReader {
  /** Longest record over several lines; a longer one is a quote that was never closed. */
  private static final int RECORD_CHARS_MAX = 16 << 20;

  private final CsvDialect dialect;
  private final boolean multiLine;
  private final List<String> names;

  CsvReader(FileColumns columns, CsvDialect dialect) {
    this.dialect = dialect;
    this.multiLine = columns.options().multiLine();
    this.names = columns.inFiles().stream().map(Column::name).toList();
  }

  @Override
  public void read(InputStream file, FileSplit.Part part, RowAppender rows) throws IOException {
    CsvParser parser = new CsvParser(dialect);
    LineSplitter lines = new LineSplitter(file, part.path());
    Mapping mapping = dialect.header() ? null : Mapping.byPosition(names);
    for (byte[] line = lines.next(); line != null; line = lines.next()) {
      Optional<String> text = decoded(line);
      String record = text.isPresent() ? text.get() : new String(line, StandardCharsets.UTF_8);
      if (isSkipped(record)) {
        continue;
      }
      long number = lines.number();
      parser.start();
      boolean ended = text.map(parser::line).orElse(true);
      if (!ended && multiLine) {
        record = continued(parser, lines, record);
      }
      Optional<String> problem =
          text.isEmpty() ? Optional.of("the text is not UTF-8") : parser.problem();
      if (mapping == null) {
        mapping = Mapping.byHeader(names, parser.fields(), problem);
      } else {
        append(parser, mapping, problem, record, number, rows);
      }
    }
  }

  private static String continued(CsvParser parser, LineSplitter lines, String first)
      throws IOException {
    StringBuilder record = new StringBuilder(first);
    boolean ended = false;
    while (!ended && record.length() < RECORD_CHARS_MAX) {
      String lineBreak = lines.lineBreak();
      byte[] line = lines.next();
      if (line == null) {
        break;
      }
      String text = new String(line, StandardCharsets.UTF_8);
      record.append(lineBreak).append(text);
      parser.lineBreak(lineBreak);
      ended = parser.line(text);
    }
    return record.toString();
  }

  private static void append(
      CsvParser parser,
      Mapping mapping,
      Optional<String> problem,
      String record,
      long number,
      RowAppender rows) {
    Optional<String> wrong = problem.or(() -> mapping.problem(parser.fields().size()));
    List<String> fields = wrong.isPresent() ? null : mapping.ordered(parser.fields());
    rows.record(fields, record, wrong.orElse(null), number);
  }

  private boolean isSkipped(String line) {
    return line.isBlank() || dialect.comment().map(c -> line.charAt(0) == c).orElse(false);
  }

  private static Optional<String> decoded(byte[] line) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty(); // Becomes the record's problem.
    }
  }

  /**
   * Where the declared columns are in a record.
   *
   * @param width fields a record must have; any number if negative
   * @param sources for each declared column its place in the record; empty for the record's order
   */
  private record Mapping(int width, List<Integer> sources, Optional<String> headerProblem) {
    static Mapping byPosition(List<String> names) {
      return new Mapping(names.isEmpty() ? -1 : names.size(), List.of(), Optional.empty());
    }

    static Mapping byHeader(List<String> names, List<String> header, Optional<String> problem) {
      if (problem.isPresent()) {
        return new Mapping(-1, List.of(), problem.map(p -> "the header is malformed: " + p));
      }
      List<String> found = header.stream().map(h -> h == null ? "" : h.strip()).toList();
      List<Integer> sources = new ArrayList<>();
      List<String> extra = new ArrayList<>(found);
      for (String name : names) {
        int at = indexOf(found, name);
        if (at < 0) {
          String hint = Nearest.hint(name, found);
          return new Mapping(
              -1, List.of(), Optional.of("the header has no column '" + name + "'." + hint));
        }
        sources.add(at);
        extra.remove(found.get(at));
      }
      Optional<String> unknown =
          names.isEmpty() || extra.isEmpty()
              ? Optional.empty()
              : Optional.of("the header has the undeclared column '" + extra.get(0) + "'");
      return new Mapping(found.size(), sources, unknown);
    }

    private static int indexOf(List<String> names, String name) {
      for (int i = 0; i < names.size(); i++) {
        if (names.get(i).equalsIgnoreCase(name)) {
          return i;
        }
      }
      return -1;
    }

    Optional<String> problem(int fields) {
      if (headerProblem.isPresent() || width < 0 || fields == width) {
        return headerProblem;
      }
      return Optional.of(fields + " fields instead of " + width);
    }

    List<String> ordered(List<String> fields) {
      return sources.isEmpty() ? fields : sources.stream().map(fields::get).toList();
    }
  }
}
