package io.tidemill.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.Blob.PutOutcome;
import io.tidemill.storage.CountedIds;
import io.tidemill.storage.aws.AwsClients;
import io.tidemill.storage.aws.AwsSettings;
import io.tidemill.storage.aws.Retries;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;

/** Copies within S3, against replies as S3 documents them: no local server heeds the condition. */
class S3CopyTest {
  private static final String COPIED =
      "<CopyObjectResult><ETag>\"1\"</ETag><LastModified>2026-03-01T00:00:00.000Z</LastModified>"
          + "</CopyObjectResult>";

  @TempDir private Path directory;

  private final List<SdkHttpRequest> sent = new ArrayList<>();
  private final Deque<HttpExecuteResponse> replies = new ArrayDeque<>();
  private final AwsClients clients =
      new AwsClients(
          AwsSettings.of(Map.of("AWS_REGION", "eu-central-1")::get),
          Optional.of(StaticCredentialsProvider.create(AwsBasicCredentials.create("id", "key"))),
          http -> new Scripted());

  private final class Scripted implements SdkHttpClient {
    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
      sent.add(request.httpRequest());
      return new ExecutableHttpRequest() {
        @Override
        public HttpExecuteResponse call() {
          return replies.remove();
        }

        @Override
        public void abort() {}
      };
    }

    @Override
    public void close() {}
  }

  @AfterEach
  void close() {
    clients.close();
  }

  private void reply(int status, String body, Map<String, String> headers) {
    SdkHttpResponse.Builder response = SdkHttpResponse.builder().statusCode(status);
    headers.forEach(response::putHeader);
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    response.putHeader("Content-Length", Integer.toString(bytes.length));
    replies.add(
        HttpExecuteResponse.builder()
            .response(response.build())
            .responseBody(AbortableInputStream.create(new ByteArrayInputStream(bytes)))
            .build());
  }

  private void error(int status, String code) {
    reply(status, "<Error><Code>" + code + "</Code></Error>", Map.of());
  }

  private PutOutcome copy() {
    Retries retries = new Retries(new Random(1), time -> {}, clients.calls());
    LocalCopies copies = new LocalCopies(directory, 1000, InstantSource.system());
    return new S3Blob(
            clients.s3(),
            "bucket",
            "p/",
            copies,
            retries,
            new CountedIds("write"),
            S3Blob.Copying.IN_S3)
        .copyIfAbsent("from", "to");
  }

  @Test
  void aCopyAsksThatItsNameBeFree() {
    reply(200, COPIED, Map.of());
    assertThat(copy()).isEqualTo(PutOutcome.COMMITTED);
    SdkHttpRequest request = sent.get(0);
    assertThat(request.getUri().toString())
        .isEqualTo("https://bucket.s3.eu-central-1.amazonaws.com/p/to");
    assertThat(request.firstMatchingHeader("If-None-Match")).contains("*");
    assertThat(request.firstMatchingHeader("x-amz-copy-source")).contains("bucket/p/from");
    assertThat(request.firstMatchingHeader("x-amz-meta-tidemill-write")).contains("write-1");
  }

  @Test
  void aTakenNameIsAConflictUnlessThisCallTookIt() {
    error(412, "PreconditionFailed");
    reply(200, "", Map.of("x-amz-meta-tidemill-write", "other"));
    assertThat(copy()).isEqualTo(PutOutcome.CONFLICT);
    error(412, "PreconditionFailed");
    reply(200, "", Map.of("x-amz-meta-tidemill-write", "write-1"));
    assertThat(copy()).isEqualTo(PutOutcome.COMMITTED);
  }

  @Test
  void aConflictWithAWriteAtTheSameMomentIsSentAgain() {
    error(409, "ConditionalRequestConflict");
    reply(200, COPIED, Map.of());
    assertThat(copy()).isEqualTo(PutOutcome.COMMITTED);
    assertThat(sent).hasSize(2);
  }

  @Test
  void anErrorOfTheServerLeavesItOpen() {
    error(500, "InternalError");
    assertThat(copy()).isEqualTo(PutOutcome.UNKNOWN);
    error(503, "ServiceUnavailable");
    assertThat(copy()).isEqualTo(PutOutcome.UNKNOWN);
    assertThat(sent).hasSize(2);
  }

  @Test
  void aMissingSourceIsAnError() {
    error(404, "NoSuchKey");
    assertThatThrownBy(this::copy)
        .isInstanceOfSatisfying(
            TidemillException.class, e -> assertThat(e.fields()).containsEntry("key", "from"));
  }
}
