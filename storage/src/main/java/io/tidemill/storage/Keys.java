package io.tidemill.storage;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;

/** What a blob key may look like, and the order of keys in listings. */
public final class Keys {
  /** Longest key, in UTF-8 bytes: what S3 takes. */
  public static final int BYTES_MAX = 1024;

  /** Longest part between slashes, in UTF-8 bytes: what file systems take. */
  public static final int PART_BYTES_MAX = 255;

  /** First part of names a form of Blob keeps for itself. */
  public static final String RESERVED = ".tmp";

  /** The order of UTF-8 bytes, which is also that of S3 listings. */
  public static final Comparator<String> ORDER = Keys::compare;

  private Keys() {}

  /**
   * Returns the key if it is relative, has no empty, "." or ".." part, no backslash or control
   * character, and is not too long; else an {@code IllegalArgumentException}.
   */
  public static String checked(String key) {
    if (key.getBytes(StandardCharsets.UTF_8).length > BYTES_MAX) {
      throw new IllegalArgumentException("a key must be at most " + BYTES_MAX + " bytes: " + key);
    }
    if (key.chars().anyMatch(c -> c < ' ' || c == '\\' || c == 0x7f)) {
      throw new IllegalArgumentException("a key must not hold control characters or \\: " + key);
    }
    int start = 0;
    while (start <= key.length()) {
      int slash = key.indexOf('/', start);
      int end = slash < 0 ? key.length() : slash;
      checkPart(key.substring(start, end), key);
      start = end + 1;
    }
    if (key.equals(RESERVED) || key.startsWith(RESERVED + "/")) {
      throw new IllegalArgumentException("a key must not start with " + RESERVED + ": " + key);
    }
    return key;
  }

  private static void checkPart(String part, String key) {
    if (part.isEmpty() || part.equals(".") || part.equals("..")) {
      throw new IllegalArgumentException("a key must be relative, of parts with names: " + key);
    }
    if (part.getBytes(StandardCharsets.UTF_8).length > PART_BYTES_MAX) {
      throw new IllegalArgumentException(
          "a part of a key must be at most " + PART_BYTES_MAX + " bytes: " + key);
    }
  }

  private static int compare(String a, String b) {
    int common = Math.min(a.length(), b.length());
    for (int i = 0; i < common; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        // Surrogates stand for code points above all others, but are smaller as char values.
        boolean above = Character.isSurrogate(x);
        return above == Character.isSurrogate(y) ? Character.compare(x, y) : above ? 1 : -1;
      }
    }
    return Integer.compare(a.length(), b.length());
  }
}
