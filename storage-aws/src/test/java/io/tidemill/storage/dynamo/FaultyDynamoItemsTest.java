package io.tidemill.storage.dynamo;

import io.tidemill.storage.Items;
import io.tidemill.storage.ItemsContract;
import io.tidemill.storage.aws.TestAws;
import io.tidemill.storage.aws.fault.FaultyHttp;
import io.tidemill.storage.fault.SeededFaults;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

@Tag("aws")
class FaultyDynamoItemsTest extends ItemsContract {
  private final SeededFaults faults = new SeededFaults(new SplittableRandom(14), 0.2);
  private final TestAws aws = new TestAws(http -> new FaultyHttp(http, faults));
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
