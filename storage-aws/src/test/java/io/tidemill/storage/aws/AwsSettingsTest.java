package io.tidemill.storage.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AwsSettingsTest {
  @Test
  void anEmptyEnvironmentLeavesAllToTheSdk() {
    AwsSettings settings = AwsSettings.of(name -> null);
    assertThat(settings)
        .isEqualTo(
            new AwsSettings(
                Optional.empty(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
    assertThat(settings.endpoint("S3")).isEmpty();
  }

  @Test
  void allVariablesAreRead() {
    AwsSettings settings =
        AwsSettings.of(
            Map.of(
                    "AWS_ENDPOINT_URL", "http://localhost:4566",
                    "AWS_ENDPOINT_URL_S3", "http://localhost:1",
                    "AWS_ENDPOINT_URL_DYNAMODB", "http://localhost:2",
                    "AWS_ENDPOINT_URL_LAMBDA", "http://localhost:3",
                    "AWS_ENDPOINT_URL_SECRETS_MANAGER", "http://localhost:4",
                    "AWS_REGION", "eu-central-1",
                    "TIDEMILL_CHECKPOINT_TABLE", "checkpoints",
                    "TIDEMILL_STATE_TABLE", "states",
                    "TIDEMILL_STATE_TTL_DAYS", "30")
                ::get);
    assertThat(settings.endpoint("S3")).contains(URI.create("http://localhost:1"));
    assertThat(settings.endpoint("DYNAMODB")).contains(URI.create("http://localhost:2"));
    assertThat(settings.endpoint("lambda")).contains(URI.create("http://localhost:3"));
    assertThat(settings.endpoint("SECRETS_MANAGER")).contains(URI.create("http://localhost:4"));
    assertThat(settings.endpoint("SSM")).contains(URI.create("http://localhost:4566"));
    assertThat(settings.region()).contains("eu-central-1");
    assertThat(settings.checkpointTable()).contains("checkpoints");
    assertThat(settings.stateTable()).contains("states");
    assertThat(settings.stateTimeToLive()).contains(Duration.ofDays(30));
  }

  @Test
  void anEndpointOfOnesOwnNeedsNoRegion() {
    assertThat(AwsSettings.of(Map.of("AWS_ENDPOINT_URL_S3", "http://localhost:1")::get).region())
        .contains("us-east-1");
    assertThat(AwsSettings.of(Map.of("AWS_DEFAULT_REGION", "eu-west-1")::get).region())
        .contains("eu-west-1");
  }

  @Test
  void whatIsNoEndpointIsRefused() {
    for (String text : new String[] {"localhost:4566", "http://", "a b"}) {
      assertThatThrownBy(() -> AwsSettings.of(Map.of("AWS_ENDPOINT_URL", text)::get))
          .as(text)
          .isInstanceOfSatisfying(
              TidemillException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.INVALID_OPTION);
                assertThat(e.fields()).containsEntry("variable", "AWS_ENDPOINT_URL");
              });
    }
  }
}
