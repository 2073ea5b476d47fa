package io.tidemill.storage.dynamo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.storage.aws.TestAws;
import io.tidemill.storage.aws.fault.FaultyHttp;
import io.tidemill.storage.fault.Fault;
import io.tidemill.storage.fault.FaultSource;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

@Tag("aws")
class DynamoTablesTest {
  private final Deque<Fault> faults = new ArrayDeque<>();
  private final TestAws aws = new TestAws(http -> new FaultyHttp(http, FaultSource.inTurn(faults)));

  @AfterEach
  void close() {
    aws.close();
  }

  private long calls(String operation) {
    return aws.clients().calls().of("dynamodb:" + operation);
  }

  @Test
  void aTableIsMadeAlthoughTheServerKeepsSilent() {
    DynamoDbClient dynamo = aws.clients().dynamo();
    String table = aws.bucket() + "-silent";
    faults.addAll(List.of(Fault.LOST_REQUEST, Fault.LOST_REPLY));
    DynamoTables.createCheckpointTable(dynamo, table);
    assertThat(calls("CreateTable")).isEqualTo(3);
    assertThat(dynamo.describeTable(r -> r.tableName(table)).table().itemCount()).isZero();
    dynamo.deleteTable(r -> r.tableName(table));
  }

  @Test
  void aServerThatNeverAnswersIsGivenUp() {
    DynamoDbClient dynamo = aws.clients().dynamo();
    faults.addAll(Collections.nCopies(100, Fault.LOST_REQUEST));
    assertThatThrownBy(() -> DynamoTables.createStateTable(dynamo, aws.bucket() + "-never"))
        .isInstanceOf(SdkClientException.class);
    assertThat(calls("CreateTable")).isBetween(2L, 10L);
  }
}
