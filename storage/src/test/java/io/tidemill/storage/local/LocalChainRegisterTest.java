package io.tidemill.storage.local;

import io.tidemill.storage.ChainRegister;
import io.tidemill.storage.CountedIds;
import io.tidemill.storage.Register;
import io.tidemill.storage.RegisterContract;
import java.time.InstantSource;

class LocalChainRegisterTest extends RegisterContract {
  private final CountedIds handles = new CountedIds("handle");

  @Override
  protected Register open() {
    return new ChainRegister(
        new LocalBlob(
            directory, new CountedIds(handles.next()), InstantSource.system(), Durability.SYNC));
  }
}
