package io.tidemill.cli;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamWriteFeature;
import io.tidemill.aws.local.Prices;
import io.tidemill.aws.local.Usage;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * What was used of AWS, as it is printed.
 *
 * @param estimatedDollars at list prices
 */
@JsonPropertyOrder({
  "invocations",
  "functionSeconds",
  "gigabyteSeconds",
  "dynamoReads",
  "dynamoWrites",
  "dynamoReadUnits",
  "dynamoWriteUnits",
  "s3Puts",
  "s3Gets",
  "payloadBytes",
  "estimatedDollars"
})
record AwsCost(
    long invocations,
    BigDecimal functionSeconds,
    BigDecimal gigabyteSeconds,
    long dynamoReads,
    long dynamoWrites,
    double dynamoReadUnits,
    double dynamoWriteUnits,
    long s3Puts,
    long s3Gets,
    long payloadBytes,
    BigDecimal estimatedDollars) {
  private static final int SECONDS_DECIMALS = 3;
  private static final int DOLLAR_DECIMALS = 9;

  static AwsCost of(Usage usage, Prices prices) {
    return new AwsCost(
        usage.invocations(),
        rounded(usage.functionSeconds(), SECONDS_DECIMALS),
        rounded(usage.gigabyteSeconds(), SECONDS_DECIMALS),
        usage.dynamoReads(),
        usage.dynamoWrites(),
        usage.readUnits(),
        usage.writeUnits(),
        usage.s3Puts(),
        usage.s3Gets(),
        usage.payloadBytes(),
        dollars(prices.dollars(usage)));
  }

  /** To a billionth: a request may cost less than a millionth. */
  static BigDecimal dollars(double dollars) {
    return rounded(dollars, DOLLAR_DECIMALS);
  }

  private static BigDecimal rounded(double value, int decimals) {
    return BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_UP);
  }

  /** An object in one line, with amounts that are no powers of ten. */
  static String json(Object line) {
    try {
      return Json.MAPPER
          .writer()
          .with(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
          .writeValueAsString(line);
    } catch (JsonProcessingException e) {
      throw new TidemillException(
          ErrorCode.INTERNAL, "A line of the result could not be written as JSON.", e);
    }
  }
}
