package io.tidemill.aws.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AwsServersTest {
  @TempDir private Path directory;

  private static int status(URI server) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(server).build();
    return HttpClient.newHttpClient()
        .send(request, HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  @Test
  void bothAnswerUntilTheyAreClosed() throws Exception {
    AwsServers servers = AwsServers.start(Optional.of(directory));
    assertThat(status(servers.dynamo())).isEqualTo(200);
    assertThat(status(servers.s3())).as("without a signature").isEqualTo(403);
    assertThat(servers.environment())
        .containsEntry("AWS_ENDPOINT_URL_S3", servers.s3().toString())
        .containsEntry("AWS_ENDPOINT_URL_DYNAMODB", servers.dynamo().toString());
    servers.close();
    assertThatThrownBy(() -> status(servers.dynamo())).isInstanceOf(ConnectException.class);
    assertThatThrownBy(() -> status(servers.s3())).isInstanceOf(ConnectException.class);
    assertThat(directory.resolve("dynamo")).isDirectory();
    assertThat(directory.resolve("s3")).isDirectory();
  }

  @Test
  void lockFileNamesNoRegistry() throws IOException {
    String lock = Files.readString(Path.of("src/main/node/package-lock.json"));
    assertThat(lock).contains("\"node_modules/dynalite\"").doesNotContain("\"resolved\"");
  }
}
