package io.tidemill.lambda.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.aws.AwsClients;
import io.tidemill.storage.aws.AwsSettings;
import io.tidemill.storage.aws.Pause;
import io.tidemill.storage.aws.Retries;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;

class StoredSecretsTest {
  private static final String SECRET = "{\"username\":\"miller\",\"password\":\"hunter2\"}";

  private HttpServer server;
  private AwsClients clients;
  private Map<String, UnaryOperator<String>> schemes;

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String asked = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
          String operation = exchange.getRequestHeaders().getFirst("X-Amz-Target");
          int status = asked.contains("missing") ? 400 : 200;
          String answer =
              status == 400
                  ? "{\"__type\":\"ResourceNotFoundException\",\"Message\":\""
                      + SECRET.hashCode()
                      + "\"}"
                  : operation.endsWith("GetParameter")
                      ? "{\"Parameter\":{\"Value\":\""
                          + asked.contains("\"WithDecryption\":true")
                          + "\"}}"
                      : "{\"SecretString\":\"" + SECRET.replace("\"", "\\\"") + "\"}";
          exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.1");
          exchange.sendResponseHeaders(status, answer.length());
          exchange.getResponseBody().write(answer.getBytes(UTF_8));
          exchange.close();
        });
    server.start();
    Map<String, String> environment =
        Map.of("AWS_ENDPOINT_URL", "http://127.0.0.1:" + server.getAddress().getPort());
    clients =
        new AwsClients(
            AwsSettings.of(environment::get),
            Optional.of(AnonymousCredentialsProvider.create()),
            UnaryOperator.identity());
    Retries retries = new Retries(new SplittableRandom(1), Pause.waiting(), clients.calls());
    schemes = new StoredSecrets(clients, retries).schemes();
  }

  @AfterEach
  void stop() {
    clients.close();
    server.stop(0);
  }

  @Test
  void aSecretIsItsTextOrAFieldOfIt() {
    assertThat(schemes.get("secret").apply("kafka/credentials")).isEqualTo(SECRET);
    assertThat(schemes.get("secret").apply("kafka/credentials#password")).isEqualTo("hunter2");
  }

  @Test
  void aParameterIsDecrypted() {
    assertThat(schemes.get("ssm").apply("/kafka/password")).isEqualTo("true");
  }

  @Test
  void whatIsMissingIsNamedWithoutAnyValue() {
    fails("missing");
    fails("kafka/credentials#pin");
  }

  private void fails(String reference) {
    assertThatThrownBy(() -> schemes.get("secret").apply(reference))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.INVALID_OPTION);
              assertThat(e.getMessage()).contains(reference).doesNotContain("hunter2");
            });
  }
}
