package io.tidemill.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/** CRC-32C, the checksum of everything stored. */
public final class Checksum {
  private static final int BUFFER_BYTES = 1 << 16;

  private Checksum() {}

  public static long of(byte[] bytes) {
    return of(bytes, 0, bytes.length);
  }

  public static long of(byte[] bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, length);
    return crc.getValue();
  }

  /** Checksum of a file's content. */
  public static long of(Path file) throws IOException {
    CRC32C crc = new CRC32C();
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      while (channel.read(buffer) >= 0) {
        crc.update(buffer.flip());
        buffer.clear();
      }
    }
    return crc.getValue();
  }
}
