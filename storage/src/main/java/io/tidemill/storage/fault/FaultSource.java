package io.tidemill.storage.fault;

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
}
