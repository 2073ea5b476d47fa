package io.tidemill.storage.fault;

import io.tidemill.storage.ChainRegister;
import io.tidemill.storage.CountedIds;
import io.tidemill.storage.Register;
import io.tidemill.storage.RegisterContract;
import io.tidemill.storage.local.Durability;
import io.tidemill.storage.local.LocalBlob;
import java.time.InstantSource;
import java.util.SplittableRandom;

class FaultyLocalChainRegisterTest extends RegisterContract {
  private final CountedIds handles = new CountedIds("handle");
  private final FaultSource faults = new SeededFaults(new SplittableRandom(5), 0.3);

  @Override
  protected Register open() {
    CountedIds ids = new CountedIds(handles.next());
    LocalBlob blob = new LocalBlob(directory, ids, InstantSource.system(), Durability.NONE);
    return new ChainRegister(new FaultyBlob(blob, faults));
  }

  @Override
  protected int rounds() {
    return 20;
  }
}
