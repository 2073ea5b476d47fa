package io.tidemill.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code -Dsimulation.seed=N} replays one seed; {@code -Dsimulation.seeds=N} runs more of them. */
class SimulationTest {
  private static final int SEEDS = 1_000;

  @Test
  void noRowIsLostOrCountedTwiceWhateverDies() {
    Long one = Long.getLong("simulation.seed");
    if (one != null) {
      run(one);
      return;
    }
    int seeds = Integer.getInteger("simulation.seeds", SEEDS);
    long batches = 0;
    for (long seed = 0; seed < seeds; seed++) {
      batches += run(seed).committedBatches();
    }
    assertThat(batches).as("the simulation gets somewhere").isGreaterThan(4L * seeds);
  }

  @Test
  void theSameSeedGivesTheSameTrace() {
    List<List<String>> first = new ArrayList<>();
    for (long seed = 0; seed < 20; seed++) {
      first.add(run(seed).trace().lines());
    }
    for (int seed = 0; seed < 20; seed++) {
      assertThat(run(seed).trace().lines()).as("seed %s", seed).isEqualTo(first.get(seed));
    }
    assertThat(first).doesNotHaveDuplicates();
  }

  private static World run(long seed) {
    return run(seed, new World(seed));
  }

  /** Runs a simulation, and names its seed if it fails. */
  static World run(long seed, World world) {
    try {
      world.run();
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(
          "seed " + seed + " (-Dsimulation.seed=" + seed + ")\n" + world.trace().tail(), e);
    }
    return world;
  }
}
