package io.tidemill.aws.servers;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Servers that run already, as system properties name them. */
final class GivenEndpoints {
  private static final String ALL = "aws.endpoint";

  private GivenEndpoints() {}

  /**
   * Reads {@code aws.endpoint}, of both services, {@code aws.endpoint.s3} and {@code
   * aws.endpoint.dynamodb}, which go before it, and {@code aws.accessKeyId}, {@code
   * aws.secretAccessKey} and {@code aws.region}, which may be left out.
   *
   * @param properties value of a property, or null
   * @return empty if no endpoint is given
   */
  static Optional<Endpoints> of(UnaryOperator<String> properties) {
    Optional<String> all = text(properties, ALL);
    Optional<String> dynamo = text(properties, ALL + ".dynamodb").or(() -> all);
    Optional<String> s3 = text(properties, ALL + ".s3").or(() -> all);
    if (dynamo.isEmpty() && s3.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Endpoints(
            uri(dynamo, ALL + ".dynamodb"),
            uri(s3, ALL + ".s3"),
            text(properties, "aws.accessKeyId").orElse(AwsServers.KEY_ID),
            text(properties, "aws.secretAccessKey").orElse(AwsServers.SECRET),
            text(properties, "aws.region").orElse(AwsServers.REGION)));
  }

  private static Optional<String> text(UnaryOperator<String> properties, String name) {
    return Optional.ofNullable(properties.apply(name)).filter(text -> !text.isBlank());
  }

  private static URI uri(Optional<String> text, String name) {
    try {
      URI uri = new URI(text.orElse(""));
      if (uri.getScheme() != null && uri.getHost() != null) {
        return uri;
      }
    } catch (URISyntaxException e) {
      throw noEndpoint(text, name, e);
    }
    throw noEndpoint(text, name, null);
  }

  private static IllegalStateException noEndpoint(
      Optional<String> text, String name, Throwable cause) {
    return new IllegalStateException(
        text.map(t -> "Not an endpoint: " + t + ". ").orElse("One service has an endpoint only. ")
            + "Give http://HOST:PORT of both with -D"
            + ALL
            + ", or of this one with -D"
            + name
            + ".",
        cause);
  }
}
