package io.tidemill.api;

import java.util.List;
import java.util.Set;

/** The SELECT of a step, of which only the columns are made that the steps behind use. */
interface Body {
  /** Columns of the inputs that the wanted columns need, by their names in SQL. */
  Set<Use> uses(Set<String> wanted);

  /**
   * The SELECT.
   *
   * @param wanted names in SQL of the columns to make; others may be left out
   * @param inputs names of the inputs, quoted
   */
  String sql(Set<String> wanted, List<String> inputs);

  /**
   * A column of an input.
   *
   * @param input position among the inputs
   */
  record Use(int input, String column) implements Comparable<Use> {
    @Override
    public int compareTo(Use other) {
      return input == other.input
          ? column.compareTo(other.column)
          : Integer.compare(input, other.input);
    }
  }
}
