package io.tidemill.storage.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.storage.fault.FaultSource.Call;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SeededFaultsTest {
  private static Stream<Fault> draw(long seed, double rate, Call call) {
    SeededFaults faults = new SeededFaults(new SplittableRandom(seed), rate);
    return Stream.generate(() -> faults.next(call, "a")).limit(4000);
  }

  private static Map<Fault, Integer> counts(double rate, Call call) {
    Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
    draw(1, rate, call).forEach(fault -> counts.merge(fault, 1, Integer::sum));
    return counts;
  }

  @Test
  void everyKindOfWriteFaultComesUp() {
    Map<Fault, Integer> counts = counts(0.5, Call.CREATE);
    assertThat(counts).containsOnlyKeys(Fault.values());
    assertThat(counts.get(Fault.NONE)).isBetween(1800, 2200);
    assertThat(counts.get(Fault.RETRIED)).isBetween(400, 600);
  }

  @Test
  void readsAreOnlyRefused() {
    assertThat(counts(0.5, Call.LIST)).containsOnlyKeys(Fault.NONE, Fault.REFUSED);
    assertThat(counts(0, Call.READ)).containsOnlyKeys(Fault.NONE);
    assertThat(counts(1, Call.READ)).containsOnlyKeys(Fault.REFUSED);
  }

  @Test
  void sameSeedGivesTheSameFaults() {
    assertThat(draw(7, 0.3, Call.CREATE).toList()).isEqualTo(draw(7, 0.3, Call.CREATE).toList());
    assertThat(draw(7, 0.3, Call.CREATE).toList()).isNotEqualTo(draw(8, 0.3, Call.CREATE).toList());
  }
}
