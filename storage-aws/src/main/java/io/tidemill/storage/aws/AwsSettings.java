package io.tidemill.storage.aws;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Where AWS is and which of its tables are used. What is empty is left to the SDK's own chain:
 * environment, profile, the role of the machine.
 *
 * @param endpoint of every service without one of its own
 * @param endpoints by service, in capital letters as in the variable: S3, DYNAMODB, LAMBDA
 * @param region e.g. eu-central-1
 * @param checkpointTable DynamoDB table of heads and task records; empty for heads on S3
 * @param stateTable DynamoDB table of item state; empty if no query has any
 */
public record AwsSettings(
    Optional<URI> endpoint,
    Map<String, URI> endpoints,
    Optional<String> region,
    Optional<String> checkpointTable,
    Optional<String> stateTable) {
  private static final String ENDPOINT = "AWS_ENDPOINT_URL";
  private static final String LOCAL_REGION = "us-east-1";

  public AwsSettings {
    endpoints = Map.copyOf(endpoints);
  }

  /**
   * Reads AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_S3, _DYNAMODB and _LAMBDA, AWS_REGION,
   * TIDEMILL_CHECKPOINT_TABLE and TIDEMILL_STATE_TABLE.
   *
   * @param environment a variable's value, or null; e.g. {@code System::getenv}
   */
  public static AwsSettings of(Function<String, String> environment) {
    Map<String, URI> endpoints = new HashMap<>();
    for (String service : new String[] {"S3", "DYNAMODB", "LAMBDA"}) {
      uri(environment, ENDPOINT + "_" + service).ifPresent(uri -> endpoints.put(service, uri));
    }
    Optional<URI> all = uri(environment, ENDPOINT);
    boolean elsewhere = all.isPresent() || !endpoints.isEmpty();
    // An endpoint of one's own has no regions, but a signature has to name one.
    Optional<String> region =
        text(environment, "AWS_REGION")
            .or(() -> text(environment, "AWS_DEFAULT_REGION"))
            .or(() -> elsewhere ? Optional.of(LOCAL_REGION) : Optional.empty());
    return new AwsSettings(
        all,
        endpoints,
        region,
        text(environment, "TIDEMILL_CHECKPOINT_TABLE"),
        text(environment, "TIDEMILL_STATE_TABLE"));
  }

  /** The endpoint of a service, if it is not AWS's own. */
  public Optional<URI> endpoint(String service) {
    return Optional.ofNullable(endpoints.get(service.toUpperCase(Locale.ROOT))).or(() -> endpoint);
  }

  private static Optional<String> text(Function<String, String> environment, String name) {
    return Optional.ofNullable(environment.apply(name)).filter(value -> !value.isBlank());
  }

  private static Optional<URI> uri(Function<String, String> environment, String name) {
    Optional<String> text = text(environment, name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      URI uri = new URI(text.get());
      if (uri.getScheme() != null && uri.getHost() != null) {
        return Optional.of(uri);
      }
    } catch (URISyntaxException e) {
      throw notAnEndpoint(name, e);
    }
    throw notAnEndpoint(name, null);
  }

  private static TidemillException notAnEndpoint(String name, Throwable cause) {
    return new TidemillException(
            ErrorCode.INVALID_OPTION,
            "An environment variable names no endpoint. Write it as http://HOST:PORT, or unset it.",
            cause)
        .with("variable", name);
  }
}
