package io.tidemill.aws.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.aws.servers.AwsServers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("aws")
class LocalStackTest {
  /** The suites of other modules come after this one, and are not run without Docker. */
  @Test
  void theServersOfTestsAreLocalStack() throws Exception {
    URI health = AwsServers.shared().s3().resolve("/_localstack/health");
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(health).build(), HttpResponse.BodyHandlers.ofString());
    assertThat(answer.body()).contains("\"s3\"").contains("\"dynamodb\"");
    assertThat(AwsServers.shared().dynamo()).isEqualTo(AwsServers.shared().s3());
  }

  @Test
  void itsVersionIsThatOfTheComposeFile() throws IOException {
    assertThat(Files.readString(Path.of("../infra/localstack/compose.yml")))
        .contains("${LOCALSTACK_VERSION:-" + LocalStack.VERSION + "}");
  }
}
