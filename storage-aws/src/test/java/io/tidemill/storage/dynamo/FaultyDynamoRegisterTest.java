package io.tidemill.storage.dynamo;

import io.tidemill.storage.Register;
import io.tidemill.storage.RegisterContract;
import io.tidemill.storage.aws.TestAws;
import io.tidemill.storage.aws.fault.FaultyHttp;
import io.tidemill.storage.fault.SeededFaults;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

@Tag("aws")
class FaultyDynamoRegisterTest extends RegisterContract {
  private final SeededFaults faults = new SeededFaults(new SplittableRandom(13), 0.3);
  private final TestAws aws = new TestAws(http -> new FaultyHttp(http, faults));

  @AfterEach
  void close() {
    aws.close();
  }

  @Override
  protected Register open() {
    return aws.register();
  }

  /** An item remembers two writers; one whose reply is lost may be overtaken by more. */
  @Override
  protected int unseen() {
    return rounds();
  }

  @Override
  protected int rounds() {
    return 8;
  }
}
