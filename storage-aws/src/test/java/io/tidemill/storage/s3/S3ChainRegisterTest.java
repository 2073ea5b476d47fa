package io.tidemill.storage.s3;

import io.tidemill.storage.ChainRegister;
import io.tidemill.storage.Register;
import io.tidemill.storage.RegisterContract;
import io.tidemill.storage.aws.TestAws;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

@Tag("aws")
class S3ChainRegisterTest extends RegisterContract {
  private final TestAws aws = new TestAws();

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
    return 6;
  }
}
