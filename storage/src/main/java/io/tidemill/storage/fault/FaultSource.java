package io.tidemill.storage.fault;

import java.util.Queue;

/** Decides what goes wrong with each storage call. Called by all threads that use the storage. */
@FunctionalInterface
public interface FaultSource {
  /** The kinds of storage calls. */
  enum Call {
    CREATE,
    READ,
    LIST,
    DELETE
  }

  /**
   * @param name key, prefix or register name
   */
  Fault next(Call call, String name);

  /** Takes the next of a queue for each call, and nothing goes wrong while it is empty. */
  static FaultSource inTurn(Queue<Fault> faults) {
    return (call, name) -> faults.isEmpty() ? Fault.NONE : faults.poll();
  }
}
