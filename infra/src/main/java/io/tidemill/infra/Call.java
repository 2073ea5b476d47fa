package io.tidemill.infra;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A call of an AWS SDK.
 *
 * @param operation service and operation, as {@code s3:ListObjectsV2}
 * @param resource ARN of what it was about; empty if that is not known, then it is about anything
 */
public record Call(String operation, Optional<String> resource) {
  /** Operations that IAM knows by other names than theirs. */
  private static final Map<String, List<String>> ACTIONS =
      Map.ofEntries(
          Map.entry("lambda:Invoke", List.of("lambda:InvokeFunction")),
          Map.entry("s3:HeadObject", List.of("s3:GetObject")),
          Map.entry("s3:HeadBucket", List.of("s3:ListBucket")),
          Map.entry("s3:ListObjects", List.of("s3:ListBucket")),
          Map.entry("s3:ListObjectsV2", List.of("s3:ListBucket")),
          Map.entry("s3:CopyObject", List.of("s3:GetObject", "s3:PutObject")),
          Map.entry("s3:DeleteObjects", List.of("s3:DeleteObject")),
          Map.entry("s3:CreateMultipartUpload", List.of("s3:PutObject")),
          Map.entry("s3:UploadPart", List.of("s3:PutObject")),
          Map.entry("s3:UploadPartCopy", List.of("s3:GetObject", "s3:PutObject")),
          Map.entry("s3:CompleteMultipartUpload", List.of("s3:PutObject")));

  public Call {
    if (!operation.matches("[a-z0-9-]+:[A-Za-z0-9]+")) {
      throw new IllegalArgumentException("not service:Operation: " + operation);
    }
  }

  public static Call of(String operation) {
    return new Call(operation, Optional.empty());
  }

  public static Call of(String operation, String resource) {
    return new Call(operation, Optional.of(resource));
  }

  /** What IAM asks for. */
  public List<String> actions() {
    return ACTIONS.getOrDefault(operation, List.of(operation));
  }
}
