package io.tidemill.storage.aws;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
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
 * @param stateTimeToLive how long after its last change DynamoDB may delete an item of state, which
 *     is then as if its key had never been seen; empty for never
 */
public record AwsSettings(
    Optional<URI> endpoint,
    Map<String, URI> endpoints,
    Optional<String> region,
    Optional<String> checkpointTable,
    Optional<String> stateTable,
    Optional<Duration> stateTimeToLive) {
  private static final String ENDPOINT = "AWS_ENDPOINT_URL";

  /** Services with a client of ours, as their names are in the variables of the SDK. */
  private static final List<String> SERVICES =
      List.of("S3", "DYNAMODB", "LAMBDA", "SECRETS_MANAGER", "SSM");

  private static final String LOCAL_REGION = "us-east-1";

  public AwsSettings {
    endpoints = Map.copyOf(endpoints);
  }

  /**
   * Reads AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_S3, _DYNAMODB, _LAMBDA, _SECRETS_MANAGER and _SSM,
   * AWS_REGION, TIDEMILL_CHECKPOINT_TABLE, TIDEMILL_STATE_TABLE and TIDEMILL_STATE_TTL_DAYS.
   *
   * @param environment a variable's value, or null; e.g. {@code System::getenv}
   */
  public static AwsSettings of(Function<String, String> environment) {
    Map<String, URI> endpoints = new HashMap<>();
    for (String service : SERVICES) {
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
        text(environment, "TIDEMILL_STATE_TABLE"),
        text(environment, "TIDEMILL_STATE_TTL_DAYS").map(AwsSettings::days));
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

  private static Duration days(String text) {
    if (!text.matches("[1-9]\\d{0,4}")) {
      throw new TidemillException(
              ErrorCode.INVALID_OPTION,
              "An environment variable is no number of days from 1 to 99999.")
          .with("variable", "TIDEMILL_STATE_TTL_DAYS")
          .with("value", text);
    }
    return Duration.ofDays(Long.parseLong(text));
  }

  private static TidemillException notAnEndpoint(String name, Throwable cause) {
    return new TidemillException(
            ErrorCode.INVALID_OPTION,
            "An environment variable names no endpoint. Write it as http://HOST:PORT, or unset it.",
            cause)
        .with("variable", name);
  }
}
