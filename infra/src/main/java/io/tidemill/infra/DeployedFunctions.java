package io.tidemill.infra;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** The functions of a stack: what they find in their environment. */
public final class DeployedFunctions {
  private static final String TYPE = "AWS::Serverless::Function";

  private DeployedFunctions() {}

  /**
   * Environment variables by function, which is named by its logical id. Names in their values are
   * as in {@link Permissions}.
   *
   * @param parameters values of the template's parameters that are not their defaults
   */
  public static Map<String, Map<String, String>> variables(
      Path template, Map<String, String> parameters) {
    Stack stack = new Stack(TemplateFile.read(template), Map.copyOf(parameters));
    Map<String, Map<String, String>> byFunction = new TreeMap<>();
    stack
        .resources(TYPE)
        .forEach(
            (id, properties) -> {
              Map<String, String> variables = new TreeMap<>();
              add(variables, stack.globals("Function"));
              add(variables, properties);
              byFunction.put(id, variables);
            });
    return byFunction;
  }

  private static void add(Map<String, String> variables, Map<String, Object> properties) {
    if (properties.containsKey("Environment")) {
      Values.map(Values.map(properties.get("Environment")).get("Variables"))
          .forEach((name, value) -> variables.put(name, Values.text(value)));
    }
  }
}
