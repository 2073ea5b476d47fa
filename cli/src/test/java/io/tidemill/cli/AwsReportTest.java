package io.tidemill.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.aws.local.Prices;
import io.tidemill.aws.local.Usage;
import io.tidemill.demo.ExpectedRevenue;
import io.tidemill.protocol.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AwsReportTest {
  private static final ExpectedRevenue EXPECTED =
      new ExpectedRevenue(100, 3, 2, 1, 4, 50, 60, new BigDecimal("12.30"));
  private static final DemoSummary SUMMARY =
      new DemoSummary(100, 3, 2, 9, 50, new BigDecimal("12.30"), new BigDecimal("12.30"), 1.5);
  private static final AwsCost COST =
      AwsCost.of(
          new Usage(4, 7_250, 7_250L * 1_024, 1, 5, 0.5, 31, 16, 14, 9_000),
          Prices.US_EAST_1_ARM64);
  private static final Optional<AwsIdle> IDLE =
      Optional.of(new AwsIdle(List.of("rate(15 minutes)"), 0.0471));

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private AwsReport report(boolean json) {
    return new AwsReport(
        new LineDisplay(new PrintStream(err, true, StandardCharsets.UTF_8)),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        json);
  }

  private static DemoResult result(String revenue) {
    return new DemoResult(50, 60, new BigDecimal(revenue), 3, List.of());
  }

  private String printed() {
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void lastLineHasTheTotalsOfTheDemoAndWhatWasUsed() {
    int code = report(true).end(SUMMARY, result("12.30"), EXPECTED, List.of(), COST, IDLE);

    assertThat(code).isEqualTo(ExitCode.DONE);
    assertThat(printed())
        .isEqualTo(
            "{\"records\":100,\"malformed\":3,\"late\":2,\"batches\":9,\"rowsOut\":50,"
                + "\"revenueTotal\":12.30,\"expectedRevenueTotal\":12.30,\"seconds\":1.5,"
                + "\"invocations\":4,\"functionSeconds\":7.250,\"gigabyteSeconds\":7.250,"
                + "\"dynamoReads\":1,\"dynamoWrites\":5,\"dynamoReadUnits\":0.5,"
                + "\"dynamoWriteUnits\":31.0,\"s3Puts\":16,\"s3Gets\":14,\"payloadBytes\":9000,"
                + "\"estimatedDollars\":0.000202505,\"schedule\":\"rate(15 minutes)\","
                + "\"idleDollarsPerMonth\":0.047100000}\n");
  }

  @Test
  void aWrongTotalFailsAndIsNamed() {
    DemoSummary wrong =
        new DemoSummary(100, 3, 2, 9, 50, new BigDecimal("12.31"), new BigDecimal("12.30"), 1.5);

    int code = report(true).end(wrong, result("12.31"), EXPECTED, List.of(), COST, IDLE);

    assertThat(code).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("WRONG revenue: 12.31, expected 12.30");
    assertThat(printed()).contains("\"revenueTotal\":12.31");
  }

  @Test
  void anyOtherJobHasNoRevenue() {
    JobSummary summary = new JobSummary(10, 0, 0, 2, 5, 0.5);

    int code = report(true).end(summary, List.of(), COST, Optional.empty());

    JsonNode last = Json.read(printed(), JsonNode.class);
    assertThat(code).isEqualTo(ExitCode.DONE);
    assertThat(last.path("rowsOut").asLong()).isEqualTo(5);
    assertThat(last.has("revenueTotal")).isFalse();
    assertThat(last.has("idleDollarsPerMonth")).isFalse();
  }

  @Test
  void theTableHasARowPerBatchAndTheirSum() {
    String row = AwsTable.row("revenue 0", 1_250_000, COST);

    int code = report(false).end(SUMMARY, result("12.30"), EXPECTED, List.of(row), COST, IDLE);

    assertThat(code).isEqualTo(ExitCode.DONE);
    assertThat(printed().lines())
        .containsExactly(
            "batch                  rows invoked  seconds  DynamoDB        S3    payload  $"
                + " estimated",
            "revenue 0         1,250,000       4    7.250       1/5     16/14      9,000 "
                + " 0.000202505",
            "all                     100       4    7.250       1/5     16/14      9,000 "
                + " 0.000202505",
            AwsTable.LEGEND,
            "While there is nothing to do, rate(15 minutes) costs an estimated $0.0471 a month.");
  }

  @Test
  void smallAmountsAreNoPowersOfTen() {
    Usage invocation = new Usage(1, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    assertThat(AwsCost.json(AwsCost.of(invocation, Prices.US_EAST_1_ARM64)))
        .contains("\"estimatedDollars\":0.000000200");
  }
}
