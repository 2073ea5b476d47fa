package io.tidemill.lambda.invoke;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.lambda.LambdaAsyncClient;
import software.amazon.awssdk.services.lambda.model.InvokeRequest;
import software.amazon.awssdk.services.lambda.model.InvokeResponse;
import software.amazon.awssdk.services.lambda.model.LambdaException;

/** Answers invocations as a test says; keeps them. */
final class FakeLambda implements LambdaAsyncClient {
  final List<InvokeRequest> requests = new CopyOnWriteArrayList<>();
  private final BiFunction<Integer, InvokeRequest, CompletableFuture<InvokeResponse>> answers;

  /**
   * @param answers by the number of the invocation, from 0
   */
  FakeLambda(BiFunction<Integer, InvokeRequest, CompletableFuture<InvokeResponse>> answers) {
    this.answers = answers;
  }

  @Override
  public CompletableFuture<InvokeResponse> invoke(InvokeRequest request) {
    int number;
    synchronized (requests) {
      number = requests.size();
      requests.add(request);
    }
    return answers.apply(number, request);
  }

  static CompletableFuture<InvokeResponse> answer(byte[] payload) {
    return CompletableFuture.completedFuture(
        InvokeResponse.builder().statusCode(200).payload(SdkBytes.fromByteArray(payload)).build());
  }

  static CompletableFuture<InvokeResponse> functionError(byte[] payload) {
    return CompletableFuture.completedFuture(
        InvokeResponse.builder()
            .statusCode(200)
            .functionError("Unhandled")
            .payload(SdkBytes.fromByteArray(payload))
            .build());
  }

  static CompletableFuture<InvokeResponse> refused(int status, String code) {
    return CompletableFuture.failedFuture(
        LambdaException.builder()
            .statusCode(status)
            .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).build())
            .build());
  }

  @Override
  public String serviceName() {
    return SERVICE_NAME;
  }

  @Override
  public void close() {}
}
