package io.tidemill.storage.dynamo;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.aws.Retries;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/** Names what went wrong with DynamoDB. */
final class DynamoFailures {
  private DynamoFailures() {}

  static TidemillException error(String table, String item, SdkException failure) {
    if (failure instanceof ResourceNotFoundException) {
      return error(
          ErrorCode.NOT_WRITABLE,
          "The DynamoDB table does not exist. Create it, or correct its name or the region.",
          table,
          item,
          failure);
    }
    if (failure instanceof AwsServiceException e
        && Retries.code(e).equals("AccessDeniedException")) {
      return error(
          ErrorCode.FORBIDDEN,
          "DynamoDB refuses access. Give the role or user the permission on this table.",
          table,
          item,
          failure);
    }
    return error(
        ErrorCode.STORAGE_UNAVAILABLE,
        "DynamoDB did not do what it was asked. Try again; if that does not help, check the network,"
            + " the region and the credentials.",
        table,
        item,
        failure);
  }

  private static TidemillException error(
      ErrorCode code, String text, String table, String item, SdkException failure) {
    TidemillException error =
        new TidemillException(code, text, failure).with("table", table).with("item", item);
    return failure instanceof AwsServiceException e && !Retries.code(e).isEmpty()
        ? error.with("reason", Retries.code(e))
        : error;
  }
}
