package io.tidemill.aws.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TariffTest {
  @ParameterizedTest
  @CsvSource({
    "PUT,    /bucket/key,     ,                S3_PUT",
    "POST,   /bucket/key,     uploads,         S3_PUT",
    "POST,   /bucket,         delete,          FREE",
    "GET,    /bucket,         list-type=2,     S3_PUT",
    "GET,    /bucket/,        list-type=2,     S3_PUT",
    "GET,    /bucket/a/b,     ,                S3_GET",
    "HEAD,   /bucket/a,       ,                S3_GET",
    "DELETE, /bucket/a,       ,                FREE"
  })
  void s3IsChargedByClass(String method, String path, String query, Charge.Kind kind) {
    Tariff.Asked asked =
        new Tariff.Asked(method, path, Optional.ofNullable(query), Optional.empty(), 10);

    assertThat(Tariff.S3.charge(asked, 200, new byte[0])).isEqualTo(Charge.of(kind));
  }

  @Test
  void dynamoIsChargedWhatItSays() {
    assertThat(dynamo("GetItem", 200, "{\"ConsumedCapacity\":{\"CapacityUnits\":2.5}}"))
        .isEqualTo(new Charge(Charge.Kind.DYNAMO_READ, 2.5));
    assertThat(
            dynamo(
                "BatchWriteItem",
                200,
                "{\"ConsumedCapacity\":[{\"CapacityUnits\":3},{\"CapacityUnits\":4}]}"))
        .isEqualTo(new Charge(Charge.Kind.DYNAMO_WRITE, 7));
    assertThat(dynamo("DescribeTable", 200, "{}")).isEqualTo(Charge.NOTHING);
  }

  @Test
  void aConditionThatDoesNotHoldIsChargedLikeOneThatDoes() {
    String refused =
        "{\"__type\":\"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException\"}";
    String invalid = "{\"__type\":\"com.amazon.coral.validate#ValidationException\"}";

    assertThat(dynamo("PutItem", 400, refused)).isEqualTo(new Charge(Charge.Kind.DYNAMO_WRITE, 3));
    assertThat(dynamo("PutItem", 400, invalid)).isEqualTo(new Charge(Charge.Kind.DYNAMO_WRITE, 0));
  }

  private static Charge dynamo(String operation, int status, String reply) {
    Tariff.Asked asked =
        new Tariff.Asked(
            "POST", "/", Optional.empty(), Optional.of("DynamoDB_20120810." + operation), 2_049);
    return Tariff.DYNAMO.charge(asked, status, reply.getBytes(StandardCharsets.UTF_8));
  }
}
