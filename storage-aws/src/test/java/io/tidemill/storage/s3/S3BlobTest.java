package io.tidemill.storage.s3;

import io.tidemill.storage.Blob;
import io.tidemill.storage.ExactBlobContract;
import io.tidemill.storage.aws.TestAws;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

@Tag("aws")
class S3BlobTest extends ExactBlobContract {
  private final TestAws aws = new TestAws();

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
    return 6;
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
