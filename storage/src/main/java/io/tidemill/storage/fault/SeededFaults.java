package io.tidemill.storage.fault;

import java.util.random.RandomGenerator;

/** Faults drawn from a seed: the same seed and the same calls give the same faults. */
public final class SeededFaults implements FaultSource {
  private static final Fault[] WRITE_FAULTS = {
    Fault.LOST_REQUEST, Fault.LOST_REPLY, Fault.REFUSED, Fault.RETRIED
  };
  private static final Fault[] DELETE_FAULTS = {Fault.LOST_REQUEST, Fault.LOST_REPLY};

  private final RandomGenerator random;
  private final double rate;

  /**
   * @param rate share of calls that go wrong, from 0 to 1, spread evenly over the faults there are
   */
  public SeededFaults(RandomGenerator random, double rate) {
    if (!(rate >= 0 && rate <= 1)) {
      throw new IllegalArgumentException("must be between 0 and 1: " + rate);
    }
    this.random = random;
    this.rate = rate;
  }

  @Override
  public synchronized Fault next(Call call, String name) {
    if (random.nextDouble() >= rate) {
      return Fault.NONE;
    }
    return switch (call) {
      case CREATE -> WRITE_FAULTS[random.nextInt(WRITE_FAULTS.length)];
      case DELETE -> DELETE_FAULTS[random.nextInt(DELETE_FAULTS.length)];
      case READ, LIST -> Fault.REFUSED;
    };
  }
}
