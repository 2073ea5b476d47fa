package io.tidemill.checkpoint;

import io.tidemill.protocol.Ids;
import io.tidemill.storage.Blob;
import io.tidemill.storage.Register;
import io.tidemill.storage.Store;
import java.util.Optional;

/**
 * Small values under names, each written once: whoever creates one first decides, and a loser takes
 * the winner's. Thread-safe. Values are what {@link StoredJson} writes.
 */
public interface Records {
  /** The value, or empty if nobody wrote it. */
  Optional<byte[]> read(String name);

  /** Creates the value unless the name is taken, and returns what is there for ever. */
  byte[] putOrGet(String name, byte[] value);

  /** Records that are an object each. */
  static Records in(Blob blob) {
    return new BlobRecords(blob);
  }

  /**
   * Records that are a register each, written once; one too large for that is an object, to which
   * its register refers.
   *
   * @param ids for the attempts at writing them
   */
  static Records in(Register register, Blob blob, Ids ids) {
    return new RegisterRecords(register, blob, ids);
  }

  /** Where a store keeps records. */
  static Records in(Store store, Ids ids) {
    return store
        .records()
        .map(register -> in(register, store.blob(), ids))
        .orElseGet(() -> in(store.blob()));
  }
}
