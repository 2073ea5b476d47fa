package io.tidemill.protocol.error;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the known name that a mistyped one most likely meant. */
public final class Nearest {
  private Nearest() {}

  /** The known name with the least edit distance, if it is near enough to be a likely typo. */
  public static Optional<String> to(String name, Collection<String> known) {
    String wanted = name.toLowerCase(Locale.ROOT);
    return known.stream()
        .min(
            Comparator.comparingInt((String k) -> distance(wanted, k.toLowerCase(Locale.ROOT)))
                .thenComparing(Comparator.naturalOrder()))
        .filter(
            k -> {
              int limit = Math.max(2, Math.max(wanted.length(), k.length()) / 3);
              return distance(wanted, k.toLowerCase(Locale.ROOT)) <= limit;
            });
  }

  /** " Did you mean 'x'?", or the empty text if nothing is near. */
  public static String hint(String name, Collection<String> known) {
    return to(name, known).map(k -> " Did you mean '" + k + "'?").orElse("");
  }

  private static int distance(String a, String b) {
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substitute = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(substitute, 1 + Math.min(previous[j], current[j - 1]));
      }
      previous = current;
    }
    return previous[b.length()];
  }
}
