package io.tidemill.crash;

import java.util.List;

/**
 * What a trial came to.
 *
 * @param hits kills that left something to finish
 * @param rows rows of the result
 * @param differences what is wrong with them; empty if nothing
 */
record Verdict(int kills, int hits, long rows, List<String> differences) {
  Verdict {
    differences = List.copyOf(differences);
  }
}
