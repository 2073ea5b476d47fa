package io.tidemill.connectors.file;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/**
 * The files that were there at a moment.
 *
 * @param hash the same for the same files with the same sizes and modification times
 */
record Listing(List<FoundFile> files, String hash) {
  static Listing of(List<FoundFile> files) {
    List<FoundFile> ordered = new ArrayList<>(files);
    ordered.sort(Comparator.comparing(FoundFile::path));
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (FoundFile file : ordered) {
        String text = file.path() + "\n" + file.size() + "\n" + file.modifiedMillis() + "\n";
        digest.update(text.getBytes(StandardCharsets.UTF_8));
      }
      return new Listing(List.copyOf(files), HexFormat.of().formatHex(digest.digest(), 0, 16));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
