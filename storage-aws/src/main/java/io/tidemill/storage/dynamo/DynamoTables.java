package io.tidemill.storage.dynamo;

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
    try {
      client.createTable(
          r ->
              r.tableName(table)
                  .billingMode(BillingMode.PAY_PER_REQUEST)
                  .attributeDefinitions(
                      AttributeDefinition.builder()
                          .attributeName("id")
                          .attributeType(ScalarAttributeType.S)
                          .build())
                  .keySchema(
                      KeySchemaElement.builder()
                          .attributeName("id")
                          .keyType(KeyType.HASH)
                          .build()));
    } catch (ResourceInUseException e) {
      return; // It exists.
    }
    client.waiter().waitUntilTableExists(r -> r.tableName(table));
  }
}
