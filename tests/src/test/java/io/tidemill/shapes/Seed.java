package io.tidemill.shapes;

import java.util.Random;

/** The seed of this run: fixed, or given with {@code -Dshapes.seed=}. */
final class Seed {
  static final long VALUE = Long.getLong("shapes.seed", 20_260_101L);

  private Seed() {}

  /** Random numbers that depend on the seed and the name only. */
  static Random random(String name) {
    return new Random(VALUE * 31 + name.hashCode());
  }

  static String text() {
    return "replay with -Dshapes.seed=" + VALUE;
  }
}
