package io.tidemill.badinput;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.storage.Checksum;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The stored versions of a head, changed with checksums that fit, as a newer writer would. */
final class Slots {
  private static final String INNER = ",\"crc32c\":\"";
  private static final String OUTER = ",\"checksum\":\"";

  private final Path folder;

  Slots(Path checkpoint) {
    this.folder = checkpoint.resolve("head");
  }

  Path newest() throws IOException {
    List<Path> all = all();
    return all.get(all.size() - 1);
  }

  private List<Path> all() throws IOException {
    try (Stream<Path> slots = Files.list(folder)) {
      return slots.sorted().toList();
    }
  }

  /** Takes back the newest writes, as if the run had died before them. */
  void forget(int writes) throws IOException {
    for (int i = 0; i < writes; i++) {
      Files.delete(newest());
    }
  }

  /** Takes back all writes behind one. */
  void forgetUntil(Path slot) throws IOException {
    while (!newest().equals(slot)) {
      forget(1);
    }
  }

  /** Changes the text of the newest version. */
  void rewrite(UnaryOperator<String> change) throws IOException {
    Path slot = newest();
    String before = Files.readString(slot);
    String changed = change.apply(before);
    assertThat(changed).isNotEqualTo(before);
    Files.writeString(slot, signed(signed(changed, INNER), OUTER));
  }

  private static String signed(String text, String mark) {
    int covered = text.lastIndexOf(mark);
    byte[] bytes = text.substring(0, covered).getBytes(StandardCharsets.UTF_8);
    // The inner checksum covers the value alone, which starts behind the header of the slot.
    int from = mark.equals(INNER) ? text.indexOf("{\"kind\"") : 0;
    String digits =
        String.format(Locale.ROOT, "%08x", Checksum.of(bytes, from, bytes.length - from));
    int end = covered + mark.length() + digits.length();
    return text.substring(0, covered + mark.length()) + digits + text.substring(end);
  }
}
