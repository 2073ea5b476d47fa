package io.tidemill.storage.dynamo;

import io.tidemill.storage.Items;
import io.tidemill.storage.ItemsContract;
import io.tidemill.storage.aws.TestAws;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

@Tag("aws")
class DynamoItemsTest extends ItemsContract {
  private final TestAws aws = new TestAws();
  private final DynamoItems items = aws.items();

  @AfterEach
  void close() {
    items.close();
    aws.close();
  }

  @Override
  protected Items open() {
    return items;
  }
}
