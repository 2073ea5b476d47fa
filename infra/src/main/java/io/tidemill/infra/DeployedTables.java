package io.tidemill.infra;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The tables of a stack: how their items are found. */
public final class DeployedTables {
  private static final String TYPE = "AWS::DynamoDB::Table";

  private DeployedTables() {}

  /**
   * Attributes of the primary key by table, which is named by its logical id: {@code p HASH}, then
   * {@code s RANGE} if there is a sort key.
   *
   * @param parameters values of the template's parameters that are not their defaults
   */
  public static Map<String, List<String>> keys(Path template, Map<String, String> parameters) {
    Map<String, List<String>> keys = new TreeMap<>();
    collect(new Stack(TemplateFile.read(template), Map.copyOf(parameters)), keys);
    return keys;
  }

  private static void collect(Stack stack, Map<String, List<String>> keys) {
    stack
        .resources(TYPE)
        .forEach(
            (table, properties) ->
                keys.put(
                    table,
                    Values.list(properties.get("KeySchema")).stream()
                        .map(DeployedTables::part)
                        .toList()));
    stack.nested().forEach(inner -> collect(inner, keys));
  }

  private static String part(Object schema) {
    Map<String, Object> facts = Values.map(schema);
    return Values.text(facts.get("AttributeName")) + " " + Values.text(facts.get("KeyType"));
  }
}
