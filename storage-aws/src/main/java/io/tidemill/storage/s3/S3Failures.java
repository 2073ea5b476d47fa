package io.tidemill.storage.s3;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.aws.Retries;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/** Names what went wrong with S3. */
final class S3Failures {
  private static final int NOT_FOUND = 404;
  private static final int FORBIDDEN = 403;
  private static final int TAKEN = 412;

  private S3Failures() {}

  /** True if the key of a conditional write was taken. */
  static boolean isTaken(SdkException failure) {
    return failure instanceof AwsServiceException e && e.statusCode() == TAKEN;
  }

  /** True if there is no such object; a bucket that is missing is another matter. */
  static boolean isMissing(SdkException failure) {
    return failure instanceof AwsServiceException e
        && e.statusCode() == NOT_FOUND
        && !Retries.code(e).equals("NoSuchBucket");
  }

  static TidemillException error(
      boolean writing, String location, String key, SdkException failure) {
    if (failure instanceof AwsServiceException e) {
      if (Retries.code(e).equals("NoSuchBucket")) {
        return error(
            ErrorCode.NOT_WRITABLE,
            "The bucket does not exist. Create it, or correct the location.",
            location,
            key,
            failure);
      }
      if (e.statusCode() == FORBIDDEN) {
        return error(
            writing ? ErrorCode.NOT_WRITABLE : ErrorCode.FORBIDDEN,
            "S3 refuses access. Give the role or user the permission on this bucket and prefix, or"
                + " correct the location.",
            location,
            key,
            failure);
      }
    }
    return error(
        ErrorCode.STORAGE_UNAVAILABLE,
        "S3 did not do what it was asked. Try again; if that does not help, check the network, the"
            + " region and the credentials.",
        location,
        key,
        failure);
  }

  private static TidemillException error(
      ErrorCode code, String text, String location, String key, SdkException failure) {
    TidemillException error =
        new TidemillException(code, text, failure).with("location", location).with("key", key);
    return failure instanceof AwsServiceException e && !Retries.code(e).isEmpty()
        ? error.with("reason", Retries.code(e))
        : error;
  }
}
