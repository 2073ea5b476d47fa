package io.tidemill.chaos;

import io.tidemill.storage.fault.Fault;
import io.tidemill.storage.fault.FaultSource.Call;
import io.tidemill.storage.fault.SeededFaults;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** What goes wrong in a trial, drawn from its seed, and how often it did. Thread-safe. */
final class Disturbance {
  private final Rates rates;
  private final SplittableRandom random;
  private final SeededFaults storage;
  private final Map<String, Integer> tally = new TreeMap<>();
  private boolean calm;

  Disturbance(long seed, Rates rates) {
    this.rates = rates;
    this.random = new SplittableRandom(seed);
    this.storage = new SeededFaults(random.split(), rates.storage());
  }

  Rates rates() {
    return rates;
  }

  /** From here on nothing goes wrong. */
  synchronized void calmDown() {
    calm = true;
  }

  synchronized boolean happens(String what, double rate) {
    boolean now = !calm && random.nextDouble() < rate;
    if (now) {
      tally.merge(what, 1, Integer::sum);
    }
    return now;
  }

  synchronized Fault ofStorage(Call call, String name) {
    Fault fault = calm ? Fault.NONE : storage.next(call, name);
    if (fault != Fault.NONE) {
      tally.merge("storage faults", 1, Integer::sum);
    }
    return fault;
  }

  synchronized int below(int bound) {
    return random.nextInt(bound);
  }

  /** How often each thing happened. */
  synchronized Map<String, Integer> tally() {
    return new TreeMap<>(tally);
  }
}
