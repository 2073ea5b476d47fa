package io.tidemill.connectors.file;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
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
    boolean asText = columns.format() == FileFormat.TEXT && columns.data().isEmpty();
    boolean skipsBlanks = columns.format() == FileFormat.JSON;
    LineSplitter lines = new LineSplitter(file, part.path());
    for (byte[] line = lines.next(); line != null; line = lines.next()) {
      if (!(skipsBlanks && isBlank(line))) {
        String text = asText ? decoded(line, part.path(), lines.number()) : null;
        rows.value(line, text, lines.number());
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

  private static String decoded(byte[] line, String file, long number) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line)).toString();
    } catch (CharacterCodingException e) {
      throw new TidemillException(
              ErrorCode.MALFORMED_RECORD, "A line of a text file is not UTF-8.", e)
          .with("file", file)
          .with("line", number);
    }
  }
}
