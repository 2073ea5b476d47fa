package io.tidemill.storage.dynamo;

import io.tidemill.storage.aws.Retries;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/**
 * Creates the tables for tests and local runs. In an account CloudFormation does, with encryption,
 * recovery and time to live besides.
 */
public final class DynamoTables {
  private static final int TRIES_MAX = 6;

  private DynamoTables() {}

  /** Creates a table of heads and task records, unless it exists. */
  public static void createCheckpointTable(DynamoDbClient client, String table) {
    create(client, table, Map.of("id", KeyType.HASH));
  }

  /** Creates a table of item state, unless it exists. */
  public static void createStateTable(DynamoDbClient client, String table) {
    create(client, table, new TreeMap<>(Map.of("p", KeyType.HASH, "s", KeyType.RANGE)));
  }

  private static void create(DynamoDbClient client, String table, Map<String, KeyType> keys) {
    for (int tried = 1; ; tried++) {
      try {
        request(client, table, keys);
        break;
      } catch (ResourceInUseException e) {
        if (tried == 1) {
          return; // It exists.
        }
        break; // Of a try before, it may be, and then it is only just being made.
      } catch (SdkException e) {
        // A server on a busy machine may keep silent for longer than a client waits.
        if (tried == TRIES_MAX || Retries.isRefused(e)) {
          throw e;
        }
      }
    }
    client.waiter().waitUntilTableExists(r -> r.tableName(table));
  }

  private static void request(DynamoDbClient client, String table, Map<String, KeyType> keys) {
    client.createTable(
        r ->
            r.tableName(table)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(keys.keySet().stream().map(DynamoTables::text).toList())
                .keySchema(
                    keys.entrySet().stream()
                        .map(key -> part(key.getKey(), key.getValue()))
                        .toList()));
  }

  private static AttributeDefinition text(String name) {
    return AttributeDefinition.builder()
        .attributeName(name)
        .attributeType(ScalarAttributeType.S)
        .build();
  }

  private static KeySchemaElement part(String name, KeyType type) {
    return KeySchemaElement.builder().attributeName(name).keyType(type).build();
  }
}
