package io.tidemill.storage.local;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.InvalidPathException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** Names what went wrong on local disk. */
final class Failures {
  private Failures() {}

  /** An error for a write that did not happen. */
  static TidemillException write(Path root, String key, IOException cause) {
    if (isFull(cause)) {
      return error(
          ErrorCode.STORAGE_FULL,
          "Nothing more fits on the disk. Free some space, then run again.",
          root,
          key,
          cause);
    }
    if (isRefused(cause)) {
      return error(
          ErrorCode.NOT_WRITABLE,
          "The storage directory cannot be written. Make it a directory that this user may write, or"
              + " name another.",
          root,
          key,
          cause);
    }
    return error(
        ErrorCode.STORAGE_UNAVAILABLE,
        "Writing to the storage directory failed. Check that it is a directory on a working disk"
            + " whose file system has hard links.",
        root,
        key,
        cause);
  }

  static TidemillException read(Path root, String key, IOException cause) {
    if (isRefused(cause)) {
      return error(
          ErrorCode.FORBIDDEN,
          "The storage directory cannot be read. Make it a directory that this user may read, or name"
              + " another.",
          root,
          key,
          cause);
    }
    return error(
        ErrorCode.STORAGE_UNAVAILABLE,
        "Reading from the storage directory failed. Check its permissions and the disk.",
        root,
        key,
        cause);
  }

  static TidemillException name(Path root, String key, InvalidPathException cause) {
    return error(
        ErrorCode.NOT_WRITABLE,
        "A name cannot be that of a file in the encoding of this process. If it has letters beyond"
            + " ASCII, run in a UTF-8 locale, e.g. with LC_ALL=C.UTF-8.",
        root,
        key,
        cause);
  }

  static TidemillException missingSource(Path root, String key) {
    return error(
        ErrorCode.STORAGE_UNAVAILABLE, "The object to be copied does not exist.", root, key, null);
  }

  private static TidemillException error(
      ErrorCode code, String text, Path root, String key, Exception cause) {
    return new TidemillException(code, text, cause).with("location", root).with("key", key);
  }

  /** Not what passes: some of the path is a file, or this user may not write it. */
  private static boolean isRefused(IOException cause) {
    String message = String.valueOf(cause.getMessage());
    return cause instanceof AccessDeniedException
        || cause instanceof NotDirectoryException
        || message.contains("Not a directory")
        || message.contains("Read-only file system");
  }

  /** The JDK has no exception of its own for a full disk, only the text of ENOSPC or EDQUOT. */
  private static boolean isFull(IOException cause) {
    String message = String.valueOf(cause.getMessage());
    return message.contains("No space left on device")
        || message.contains("Disk quota exceeded")
        || message.contains("not enough space on the disk");
  }
}
