package io.tidemill.connectors.file;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Splits a stream of bytes at line feeds. A carriage return before one belongs to the break, a byte
 * order mark at the start to nothing. Not thread-safe.
 */
final class LineSplitter {
  /** Longest line; more is not a file of lines. */
  static final int LINE_BYTES_MAX = 256 << 20;

  private static final int BUFFER_BYTES = 1 << 16;

  private final InputStream in;
  private final String file;
  private byte[] buffer = new byte[BUFFER_BYTES];
  private int start;
  private int end;
  private long lines;
  private boolean endOfStream;
  private String lineBreak = "\n";

  LineSplitter(InputStream in, String file) {
    this.in = in;
    this.file = file;
  }

  /** The next line without its break, or null at the end. A last line may lack its break. */
  byte[] next() throws IOException {
    int searched = start;
    while (true) {
      int feed = indexOfFeed(searched);
      if (feed >= 0) {
        return take(feed, feed + 1);
      }
      searched = end - start;
      if (!fill()) {
        return start == end ? null : take(end, end);
      }
      searched += start;
    }
  }

  /** Number of the line last returned, from 1. */
  long number() {
    return lines;
  }

  /** The break behind the line last returned. */
  String lineBreak() {
    return lineBreak;
  }

  private byte[] take(int feed, int next) {
    boolean hasReturn = next > feed && feed > start && buffer[feed - 1] == '\r';
    byte[] line = Arrays.copyOfRange(buffer, start, hasReturn ? feed - 1 : feed);
    lineBreak = hasReturn ? "\r\n" : "\n";
    start = next;
    lines++;
    return lines == 1 ? withoutMark(line) : line;
  }

  private static byte[] withoutMark(byte[] line) {
    boolean marked =
        line.length >= 3
            && line[0] == (byte) 0xef
            && line[1] == (byte) 0xbb
            && line[2] == (byte) 0xbf;
    return marked ? Arrays.copyOfRange(line, 3, line.length) : line;
  }

  private int indexOfFeed(int from) {
    for (int i = from; i < end; i++) {
      if (buffer[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  /** Reads more; false at the end of the stream. */
  private boolean fill() throws IOException {
    if (endOfStream) {
      return false;
    }
    if (start > 0) {
      System.arraycopy(buffer, start, buffer, 0, end - start);
      end -= start;
      start = 0;
    }
    if (end == buffer.length) {
      if (buffer.length >= LINE_BYTES_MAX) {
        throw new TidemillException(
                ErrorCode.MALFORMED_RECORD, "A line is too long: this is not a file of lines.")
            .with("file", file)
            .with("line", lines + 1)
            .with("bytesMax", LINE_BYTES_MAX);
      }
      buffer = Arrays.copyOf(buffer, buffer.length * 2);
    }
    int read = in.read(buffer, end, buffer.length - end);
    endOfStream = read < 0;
    end += Math.max(0, read);
    return !endOfStream;
  }
}
