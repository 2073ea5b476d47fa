package io.tidemill.storage.dynamo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.CommitOutcome;
import io.tidemill.storage.Register;
import io.tidemill.storage.RegisterContract;
import io.tidemill.storage.aws.AwsCalls;
import io.tidemill.storage.aws.TestAws;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@Tag("aws")
class DynamoRegisterTest extends RegisterContract {
  private final TestAws aws = new TestAws();

  @AfterEach
  void close() {
    aws.close();
  }

  @Override
  protected Register open() {
    return aws.register();
  }

  @Override
  protected int rounds() {
    return 24;
  }

  private long calls(String operation) {
    return aws.clients().calls().of("dynamodb:" + operation);
  }

  @Test
  void aWriterThatKnowsTheVersionNeedsOneRequest() {
    Register register = open();
    assertThat(set(register, "head", 0, new AttemptId("a"), "1")).isEqualTo(committed(1));
    assertThat(set(register, "head", 1, new AttemptId("b"), "2")).isEqualTo(committed(2));
    assertThat(calls("PutItem")).isEqualTo(2);
    assertThat(calls("GetItem")).isZero();

    Register other = open();
    other.read("head");
    assertThat(set(other, "head", 2, new AttemptId("c"), "3")).isEqualTo(committed(3));
    assertThat(calls("PutItem")).isEqualTo(3);
    assertThat(calls("GetItem")).isEqualTo(1);
    AwsCalls.Count puts = aws.clients().calls().counts().get("dynamodb:PutItem");
    assertThat(puts.units()).isEqualTo(3);
    assertThat(puts.sentBytes()).isPositive();
  }

  @Test
  void anExpiringValueSaysWhen() {
    Instant now = Instant.parse("2026-03-01T00:00:00Z");
    Register register = aws.register().expiring(Duration.ofDays(30), InstantSource.fixed(now));
    set(register, "tasks/1", 0, new AttemptId("a"), "1");
    set(open(), "head", 0, new AttemptId("a"), "1");
    assertThat(item("tasks/1").get("expires").n())
        .isEqualTo("" + now.plus(Duration.ofDays(30)).getEpochSecond());
    assertThat(item("head")).doesNotContainKey("expires");
    assertThat(value(open(), "tasks/1")).isEqualTo("1");
  }

  @Test
  void aLongValueIsPackedInItsItem() {
    String json = "{\"files\":[" + "{\"key\":\"state/1/0/a\",\"rows\":5},".repeat(400) + "{}]}";
    set(open(), "head", 0, new AttemptId("a"), json);
    assertThat(item("head").get("value").b().asByteArray()).hasSizeLessThan(1_000);
    assertThat(value(open(), "head")).isEqualTo(json);
    assertThat(aws.clients().calls().counts().get("dynamodb:PutItem").units()).isEqualTo(1);
  }

  @Test
  void aLongValueThatIsTextIsReadAndReplaced() {
    String json = "\"" + "x".repeat(2_000) + "\"";
    Register register = open();
    set(register, "head", 0, new AttemptId("a"), "1");
    Map<String, AttributeValue> text = new TreeMap<>(item("head"));
    text.put("value", AttributeValue.fromB(SdkBytes.fromUtf8String(json)));
    aws.clients().dynamo().putItem(r -> r.tableName(TestAws.TABLE).item(text));

    assertThat(value(open(), "head")).isEqualTo(json);
    assertThat(set(register, "head", 1, new AttemptId("b"), "2")).isEqualTo(committed(2));
  }

  private Map<String, AttributeValue> item(String name) {
    String id = "s3://" + aws.bucket() + "/query#" + name;
    return aws.clients()
        .dynamo()
        .getItem(r -> r.tableName(TestAws.TABLE).key(Map.of("id", AttributeValue.fromS(id))))
        .item();
  }

  @Test
  void aValueTooLargeForAnItemIsRefusedBeforeItIsSent() {
    byte[] large = ("\"" + "x".repeat(DynamoRegister.VALUE_BYTES_MAX) + "\"").getBytes(UTF_8);
    assertThatThrownBy(() -> open().compareAndSet("head", 0, new AttemptId("a"), large))
        .isInstanceOf(TidemillException.class);
    assertThat(calls("PutItem")).isZero();
    byte[] largest = "x".repeat(DynamoRegister.VALUE_BYTES_MAX).getBytes(UTF_8);
    assertThat(open().compareAndSet("n".repeat(1000), 0, new AttemptId("a"), largest))
        .isEqualTo(new CommitOutcome.Committed(1));
  }

  @Test
  void aMissingTableIsNamed() {
    Register register =
        new DynamoRegister(aws.clients().dynamo(), "no-such-table", "scope", aws.retries());
    assertThatThrownBy(() -> register.read("head"))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.NOT_WRITABLE);
              assertThat(e.fields()).containsEntry("table", "no-such-table");
            });
  }
}
