package io.tidemill.badinput;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;

/** The space that several stores share. Thread-safe. */
final class SmallDisk {
  private long freeBytes;

  /** Makes room. */
  synchronized void add(long bytes) {
    freeBytes += bytes;
  }

  synchronized void take(long bytes, String location) {
    if (bytes > freeBytes) {
      throw new TidemillException(ErrorCode.STORAGE_FULL, "Nothing more fits on the disk.")
          .with("location", location);
    }
    freeBytes -= bytes;
  }
}
