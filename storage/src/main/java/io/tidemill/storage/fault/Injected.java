package io.tidemill.storage.fault;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.fault.FaultSource.Call;

/** The error of a call that was made to fail. */
final class Injected {
  private Injected() {}

  static TidemillException error(Call call, String name, Fault fault) {
    return new TidemillException(
            ErrorCode.STORAGE_UNAVAILABLE, "The storage was made to fail. Try again.")
        .with("call", call)
        .with("name", name)
        .with("fault", fault);
  }

  /** Throws if the fault source says so. */
  static void beforeRead(FaultSource faults, Call call, String name) {
    Fault fault = faults.next(call, name);
    if (fault != Fault.NONE) {
      throw error(call, name, fault);
    }
  }
}
