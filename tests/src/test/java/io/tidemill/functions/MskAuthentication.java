package io.tidemill.functions;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.Json;
import java.security.Provider;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.security.auth.callback.CallbackHandler;
import javax.security.sasl.SaslServer;
import javax.security.sasl.SaslServerFactory;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/**
 * The broker's side of MSK's access control by IAM: the client sends a signed request for {@code
 * kafka-cluster:Connect}, and it is checked as AWS does, by signing the same once more.
 */
final class MskAuthentication extends Provider {
  static final String MECHANISM = "AWS_MSK_IAM";

  private static final long serialVersionUID = 1;
  private static final String VERSION = "2020_10_22";
  private static final String ACTION = "kafka-cluster:Connect";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmssX").withZone(ZoneOffset.UTC);

  private final transient List<String> accepted = new CopyOnWriteArrayList<>();
  private transient volatile AwsSessionCredentialsIdentity known;

  /**
   * @param known the only ones that are let in
   */
  MskAuthentication(AwsSessionCredentialsIdentity known) {
    super("test-msk", "1", "the broker's side of " + MECHANISM);
    this.known = known;
    putService(
        new Service(this, "SaslServerFactory", MECHANISM, "none", List.of(), Map.of()) {
          @Override
          public Object newInstance(Object parameter) {
            return new Factory();
          }
        });
  }

  /** From now on others are let in, and nobody else. */
  void change(AwsSessionCredentialsIdentity others) {
    known = others;
  }

  /** User agents of those who were let in. */
  List<String> accepted() {
    return List.copyOf(accepted);
  }

  private final class Factory implements SaslServerFactory {
    @Override
    public SaslServer createSaslServer(
        String mechanism,
        String protocol,
        String serverName,
        Map<String, ?> properties,
        CallbackHandler handler) {
      return new Server(serverName);
    }

    @Override
    public String[] getMechanismNames(Map<String, ?> properties) {
      return new String[] {MECHANISM};
    }
  }

  /** One client's authentication: it speaks once, and is answered with an id of the request. */
  private final class Server implements SaslServer {
    private final String host;
    private Optional<String> user = Optional.empty();

    private Server(String host) {
      this.host = host;
    }

    @Override
    public byte[] evaluateResponse(byte[] response) {
      JsonNode request = Json.read(response, JsonNode.class);
      check(request, "version", VERSION);
      check(request, "action", ACTION);
      check(request, "host", host);
      check(request, "x-amz-security-token", known.sessionToken());
      String[] scope = request.path("x-amz-credential").asText().split("/", -1);
      if (!scope[0].equals(known.accessKeyId())) {
        throw new SaslAuthenticationException("the access key is not known");
      }
      check(request, "x-amz-signature", signature(request, scope[2]));
      accepted.add(request.path("user-agent").asText());
      user = Optional.of(scope[0]);
      return Json.write(Map.of("version", VERSION, "request-id", "request-1")).getBytes(UTF_8);
    }

    private String signature(JsonNode request, String region) {
      Instant signed = Instant.from(TIME.parse(request.path("x-amz-date").asText()));
      SdkHttpRequest unsigned =
          SdkHttpRequest.builder()
              .method(SdkHttpMethod.GET)
              .protocol("https")
              .host(host)
              .encodedPath("/")
              .appendRawQueryParameter("Action", ACTION)
              .build();
      return AwsV4HttpSigner.create()
          .sign(
              sign ->
                  sign.identity(known)
                      .request(unsigned)
                      .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "kafka-cluster")
                      .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                      .putProperty(
                          AwsV4HttpSigner.AUTH_LOCATION, AwsV4HttpSigner.AuthLocation.QUERY_STRING)
                      .putProperty(
                          AwsV4HttpSigner.EXPIRATION_DURATION,
                          Duration.ofSeconds(request.path("x-amz-expires").asLong()))
                      .putProperty(HttpSigner.SIGNING_CLOCK, Clock.fixed(signed, ZoneOffset.UTC)))
          .request()
          .firstMatchingRawQueryParameter("X-Amz-Signature")
          .orElseThrow();
    }

    private static void check(JsonNode request, String field, String expected) {
      if (!request.path(field).asText().equals(expected)) {
        throw new SaslAuthenticationException("the field " + field + " is not as it should be");
      }
    }

    @Override
    public String getMechanismName() {
      return MECHANISM;
    }

    @Override
    public boolean isComplete() {
      return user.isPresent();
    }

    @Override
    public String getAuthorizationID() {
      return user.orElseThrow();
    }

    @Override
    public Object getNegotiatedProperty(String property) {
      return null;
    }

    @Override
    public byte[] unwrap(byte[] incoming, int offset, int length) {
      throw new IllegalStateException("nothing is wrapped");
    }

    @Override
    public byte[] wrap(byte[] outgoing, int offset, int length) {
      throw new IllegalStateException("nothing is wrapped");
    }

    @Override
    public void dispose() {}
  }
}
