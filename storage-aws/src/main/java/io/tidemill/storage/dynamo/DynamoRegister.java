package io.tidemill.storage.dynamo;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.CommitOutcome;
import io.tidemill.storage.Register;
import io.tidemill.storage.aws.Retries;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.model.PutItemEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/**
 * A register as an item of a DynamoDB table, put under a condition on its version. An item holds
 * the newest value ({@link PackedValue}), who wrote it, and who wrote the one before. Does not
 * close the client.
 *
 * <p>A read is one consistent GetItem. A compare-and-set is one PutItem if this object read or
 * wrote the version it expects, else a GetItem before it; and a GetItem after a conflict.
 */
public final class DynamoRegister implements Register {
  /** Most bytes of a value: what is left of an item of 400 KB. */
  public static final int VALUE_BYTES_MAX = 400 * 1024 - 4096;

  private static final Expression NOBODY =
      Expression.builder().expression("attribute_not_exists(id)").build();

  private final DynamoDbTable<StoredValue> table;
  private final DynamoDbClient client;
  private final String scope;
  private final Retries retries;
  private final Supplier<Optional<Long>> expires;

  /** Who wrote the newest version seen of each name. */
  private final Map<String, Versioned> known = new ConcurrentHashMap<>();

  /**
   * @param table with the partition key {@code id}, a text
   * @param scope tells registers of one table apart: the checkpoint's location
   */
  public DynamoRegister(DynamoDbClient client, String table, String scope, Retries retries) {
    this(client, table, scope, retries, Optional::empty);
  }

  private DynamoRegister(
      DynamoDbClient client,
      String table,
      String scope,
      Retries retries,
      Supplier<Optional<Long>> expires) {
    this.client = client;
    this.table =
        DynamoDbEnhancedClient.builder()
            .dynamoDbClient(client)
            .extensions(java.util.List.of())
            .build()
            .table(table, StoredValue.SCHEMA);
    this.scope = scope;
    this.retries = retries;
    this.expires = expires;
  }

  /**
   * The same register for values that DynamoDB may delete at any time after the given one, which is
   * counted from their last write.
   */
  public DynamoRegister expiring(Duration after, InstantSource clock) {
    return new DynamoRegister(
        client,
        table.tableName(),
        scope,
        retries,
        () -> Optional.of(clock.instant().plus(after).getEpochSecond()));
  }

  @Override
  public Optional<Versioned> read(String name) {
    try {
      Optional<StoredValue> now = item(name);
      now.ifPresentOrElse(item -> remember(name, item), () -> known.remove(name));
      return now.map(DynamoRegister::versioned);
    } catch (SdkException e) {
      throw DynamoFailures.error(table.tableName(), id(name), e);
    }
  }

  private Optional<StoredValue> item(String name) {
    Key key = Key.builder().partitionValue(id(name)).build();
    return Optional.ofNullable(
        retries.repeatable(() -> table.getItem(r -> r.key(key).consistentRead(true))));
  }

  private static Versioned versioned(StoredValue item) {
    byte[] value = PackedValue.unpack(item.value().asByteArray(), item.id());
    return new Versioned(item.version(), new AttemptId(item.attempt()), value);
  }

  private void remember(String name, StoredValue now) {
    known.put(name, new Versioned(now.version(), new AttemptId(now.attempt()), new byte[0]));
  }

  @Override
  public CommitOutcome compareAndSet(
      String name, long expectedVersion, AttemptId attempt, byte[] value) {
    if (value.length > VALUE_BYTES_MAX) {
      throw new TidemillException(
              ErrorCode.INTERNAL, "A value is too large for an item of DynamoDB.")
          .with("register", name)
          .with("bytes", value.length)
          .with("bytesMax", VALUE_BYTES_MAX);
    }
    Optional<AttemptId> before = Optional.empty();
    if (expectedVersion != ABSENT) {
      before = attemptOf(name, expectedVersion);
      if (before.isEmpty()) {
        return ofFailedCondition(name, expectedVersion + 1, attempt);
      }
    }
    StoredValue item =
        new StoredValue(
            id(name),
            expectedVersion + 1,
            attempt.value(),
            before.map(AttemptId::value).orElse(null),
            SdkBytes.fromByteArray(PackedValue.pack(value)),
            expires.get().orElse(null));
    return put(name, expectedVersion, attempt, item);
  }

  private CommitOutcome put(String name, long expected, AttemptId attempt, StoredValue item) {
    PutItemEnhancedRequest<StoredValue> request =
        PutItemEnhancedRequest.builder(StoredValue.class)
            .item(item)
            .conditionExpression(expected == ABSENT ? NOBODY : isVersion(expected))
            .build();
    try {
      retries.once(
          () -> {
            table.putItem(request);
            return true;
          });
      known.put(name, new Versioned(expected + 1, attempt, new byte[0]));
      return new CommitOutcome.Committed(expected + 1);
    } catch (ConditionalCheckFailedException e) {
      return ofFailedCondition(name, expected + 1, attempt);
    } catch (SdkException e) {
      if (Retries.isRefused(e)) {
        throw DynamoFailures.error(table.tableName(), id(name), e);
      }
      return new CommitOutcome.Unknown("DynamoDB gave no answer whether the item was put");
    }
  }

  private static Expression isVersion(long version) {
    return Expression.builder()
        .expression("#version = :expected")
        .expressionNames(Map.of("#version", "version"))
        .expressionValues(Map.of(":expected", AttributeValue.fromN(Long.toString(version))))
        .build();
  }

  /** Who wrote the version, if it is the newest. */
  private Optional<AttemptId> attemptOf(String name, long version) {
    Versioned last = known.get(name);
    if (last != null && last.version() == version) {
      return Optional.of(last.attempt());
    }
    return read(name).filter(v -> v.version() == version).map(Versioned::attempt);
  }

  /** Another writer was first, or this attempt itself, in a try whose reply was lost. */
  private CommitOutcome ofFailedCondition(String name, long own, AttemptId attempt) {
    try {
      Optional<StoredValue> now = item(name);
      now.ifPresent(item -> remember(name, item));
      boolean isOwn =
          now.map(
                  item ->
                      (item.version() == own && attempt.value().equals(item.attempt()))
                          || (item.version() == own + 1 && attempt.value().equals(item.before())))
              .orElse(false);
      return isOwn ? new CommitOutcome.Committed(own) : new CommitOutcome.Conflict();
    } catch (SdkException e) {
      return new CommitOutcome.Unknown("DynamoDB gave no answer about who was first");
    }
  }

  private String id(String name) {
    return scope + "#" + name;
  }

  @Override
  public void close() {}
}
