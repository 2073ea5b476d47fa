package io.tidemill.storage.dynamo;

import java.util.Map;
import java.util.TreeMap;
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
    try {
      client.createTable(
          r ->
              r.tableName(table)
                  .billingMode(BillingMode.PAY_PER_REQUEST)
                  .attributeDefinitions(keys.keySet().stream().map(DynamoTables::text).toList())
                  .keySchema(
                      keys.entrySet().stream()
                          .map(key -> part(key.getKey(), key.getValue()))
                          .toList()));
    } catch (ResourceInUseException e) {
      return; // It exists.
    }
    client.waiter().waitUntilTableExists(r -> r.tableName(table));
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
