package io.tidemill.aws.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GivenEndpointsTest {
  private static final URI ONE = URI.create("http://localhost:4566");
  private static final URI OTHER = URI.create("http://localhost:8000");

  private static Optional<Endpoints> given(Map<String, String> properties) {
    return GivenEndpoints.of(properties::get);
  }

  @Test
  void nothingGivenLeavesTheServersOfThisModule() {
    assertThat(given(Map.of())).isEmpty();
    assertThat(given(Map.of("aws.endpoint", " ", "aws.region", "eu-west-1"))).isEmpty();
  }

  @Test
  void oneEndpointIsForBothServices() {
    assertThat(given(Map.of("aws.endpoint", ONE.toString())))
        .contains(new Endpoints(ONE, ONE, AwsServers.KEY_ID, AwsServers.SECRET, AwsServers.REGION));
  }

  @Test
  void eachServiceMayHaveItsOwnAndItsOwnCredentials() {
    Map<String, String> both =
        Map.of(
            "aws.endpoint",
            ONE.toString(),
            "aws.endpoint.dynamodb",
            OTHER.toString(),
            "aws.accessKeyId",
            "id",
            "aws.secretAccessKey",
            "key",
            "aws.region",
            "eu-west-1");
    assertThat(given(both)).contains(new Endpoints(OTHER, ONE, "id", "key", "eu-west-1"));
    assertThat(
            given(
                Map.of(
                    "aws.endpoint.s3", ONE.toString(), "aws.endpoint.dynamodb", OTHER.toString())))
        .map(Endpoints::dynamo)
        .contains(OTHER);
  }

  @Test
  void halfAnAnswerAndNoAddressAreRefused() {
    assertThatThrownBy(() -> given(Map.of("aws.endpoint.s3", ONE.toString())))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("-Daws.endpoint.dynamodb");
    for (String wrong : new String[] {"localhost:4566", "http://", "a b"}) {
      assertThatThrownBy(() -> given(Map.of("aws.endpoint", wrong)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(wrong);
    }
  }
}
