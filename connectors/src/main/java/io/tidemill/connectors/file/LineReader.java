package io.tidemill.connectors.file;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/** Reads json and text files, a record per line, or whole JSON documents. */
final class LineReader implements RecordReader {
  private static final int BUFFER_BYTES = 1 << 16;

  private final FileColumns columns;

  LineReader(FileColumns columns) {
    this.columns = columns;
  }

  @Override
  public void read(InputStream file, FileSplit.Part part, RowAppender rows) throws IOException {
    if (columns.options().multiLine()) {
      JsonDocuments.split(file.readAllBytes(), rows);
      return;
    }
    boolean skipsBlanks = columns.format() == FileFormat.JSON;
    LineSplitter lines = new LineSplitter(file, part.path());
    for (byte[] line = lines.next(); line != null; line = lines.next()) {
      if (!(skipsBlanks && isBlank(line))) {
        rows.value(line, lines.number());
      }
    }
  }

  /** The file's bytes, unpacked if its name ends in {@code .gz}. */
  static InputStream unpacked(InputStream raw, String path) throws IOException {
    return path.endsWith(".gz") ? new GZIPInputStream(raw, BUFFER_BYTES) : raw;
  }

  private static boolean isBlank(byte[] line) {
    for (byte b : line) {
      if (b != ' ' && b != '\t' && b != '\r') {
        return false;
      }
    }
    return true;
  }
}
