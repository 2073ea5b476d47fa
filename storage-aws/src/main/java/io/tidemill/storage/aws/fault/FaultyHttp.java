package io.tidemill.storage.aws.fault;

import io.tidemill.storage.fault.Fault;
import io.tidemill.storage.fault.FaultSource;
import io.tidemill.storage.fault.FaultSource.Call;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * Requests to AWS that go wrong as the fault source says: not sent, sent with the reply lost,
 * refused as too many, or sent twice by something in between.
 */
public final class FaultyHttp implements SdkHttpClient {
  private final SdkHttpClient http;
  private final FaultSource faults;

  public FaultyHttp(SdkHttpClient http, FaultSource faults) {
    this.http = http;
    this.faults = faults;
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    Fault fault = faults.next(kind(request.httpRequest()), request.httpRequest().encodedPath());
    return new ExecutableHttpRequest() {
      @Override
      public HttpExecuteResponse call() throws IOException {
        return switch (fault) {
          case NONE -> http.prepareRequest(request).call();
          case LOST_REQUEST -> throw new IOException("the request is lost");
          case LOST_REPLY -> {
            drain(http.prepareRequest(request).call());
            throw new IOException("the reply is lost");
          }
          case REFUSED -> refused(request.httpRequest());
          case RETRIED -> {
            HttpExecuteRequest kept = kept(request);
            drain(http.prepareRequest(kept).call());
            yield http.prepareRequest(kept).call();
          }
        };
      }

      @Override
      public void abort() {}
    };
  }

  /** The request with its bytes, as something on the way has it. */
  private static HttpExecuteRequest kept(HttpExecuteRequest request) throws IOException {
    HttpExecuteRequest.Builder kept = HttpExecuteRequest.builder().request(request.httpRequest());
    if (request.contentStreamProvider().isPresent()) {
      try (InputStream content = request.contentStreamProvider().get().newStream()) {
        byte[] bytes = content.readAllBytes();
        kept.contentStreamProvider(() -> new ByteArrayInputStream(bytes));
      }
    }
    return kept.build();
  }

  private static void drain(HttpExecuteResponse response) throws IOException {
    if (response.responseBody().isPresent()) {
      try (AbortableInputStream body = response.responseBody().get()) {
        body.readAllBytes();
      }
    }
  }

  private static Call kind(SdkHttpRequest request) {
    String target = request.firstMatchingHeader("X-Amz-Target").orElse("");
    if (request.method() == SdkHttpMethod.DELETE || target.endsWith("DeleteItem")) {
      return Call.DELETE;
    }
    return request.method() == SdkHttpMethod.PUT || target.endsWith("PutItem")
        ? Call.CREATE
        : Call.READ;
  }

  /** As each service says that there are too many calls. */
  private static HttpExecuteResponse refused(SdkHttpRequest request) {
    boolean s3 = request.firstMatchingHeader("X-Amz-Target").isEmpty();
    String body =
        s3
            ? "<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>"
            : "{\"__type\":\"com.amazonaws.dynamodb.v20120810#ThrottlingException\"}";
    return HttpExecuteResponse.builder()
        .response(SdkHttpResponse.builder().statusCode(s3 ? 503 : 400).build())
        .responseBody(
            AbortableInputStream.create(
                new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8))))
        .build();
  }

  @Override
  public void close() {
    http.close();
  }

  @Override
  public String clientName() {
    return "faulty";
  }
}
