package io.tidemill.storage.s3;

import io.tidemill.storage.ChainRegister;
import io.tidemill.storage.Register;
import io.tidemill.storage.RegisterContract;
import io.tidemill.storage.aws.TestAws;
import io.tidemill.storage.aws.fault.FaultyHttp;
import io.tidemill.storage.fault.SeededFaults;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

@Tag("aws")
class FaultyS3ChainRegisterTest extends RegisterContract {
  private final SeededFaults faults = new SeededFaults(new SplittableRandom(12), 0.2);
  private final TestAws aws = new TestAws(http -> new FaultyHttp(http, faults));

  @AfterEach
  void close() {
    aws.close();
  }

  @Override
  protected Register open() {
    return new ChainRegister(aws.blob(directory));
  }

  @Override
  protected int rounds() {
    return 4;
  }
}
