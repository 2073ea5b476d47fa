package io.tidemill.storage.dynamo;

import io.tidemill.storage.Register;
import io.tidemill.storage.RegisterContract;
import io.tidemill.storage.aws.TestAws;
import org.junit.jupiter.api.AfterEach;

class DynamoRegisterTest extends RegisterContract {
  private final TestAws aws = new TestAws();

  @AfterEach
  void close() {
    aws.close();
  }

  @Override
  protected Register open() {
    return aws.register();
  }
}
