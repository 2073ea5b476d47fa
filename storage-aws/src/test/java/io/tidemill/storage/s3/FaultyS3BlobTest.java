package io.tidemill.storage.s3;

import io.tidemill.storage.Blob;
import io.tidemill.storage.BlobContract;
import io.tidemill.storage.aws.TestAws;
import io.tidemill.storage.aws.fault.FaultyHttp;
import io.tidemill.storage.fault.SeededFaults;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

@Tag("aws")
class FaultyS3BlobTest extends BlobContract {
  private final SeededFaults faults = new SeededFaults(new SplittableRandom(11), 0.3);
  private final TestAws aws = new TestAws(http -> new FaultyHttp(http, faults));

  @AfterEach
  void close() {
    aws.close();
  }

  @Override
  protected Blob open() {
    return aws.blob(directory);
  }

  @Override
  protected int rounds() {
    return 4;
  }

  @Override
  protected List<String> names() {
    return TestAws.BLOB_NAMES;
  }

  @Override
  protected int keys() {
    return 25;
  }
}
