package io.tidemill.infra;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A template with values of its parameters, as CloudFormation would make a stack of it: conditions
 * decided, functions resolved, nested stacks within reach. What has a generated name in an account
 * is named as in the template here.
 */
final class Stack {
  private static final Map<String, String> ARN_FORMS =
      Map.of(
          "AWS::S3::Bucket", "arn:aws:s3:::%s",
          "AWS::DynamoDB::Table", "arn:aws:dynamodb:us-east-1:123456789012:table/%s",
          "AWS::SQS::Queue", "arn:aws:sqs:us-east-1:123456789012:%s",
          "AWS::IAM::Role", "arn:aws:iam::123456789012:role/%s");

  private final TemplateFile template;
  private final Map<String, Object> parameters;
  private final Map<String, Stack> nested = new LinkedHashMap<>();
  private final Resolution resolution = new Resolution(this);

  /**
   * @param given values that are not the parameters' defaults
   */
  Stack(TemplateFile template, Map<String, Object> given) {
    this.template = template;
    this.parameters = new LinkedHashMap<>();
    template
        .section("Parameters")
        .forEach(
            (name, description) -> {
              Map<String, Object> facts = Values.map(description);
              Object value = given.getOrDefault(name, facts.get("Default"));
              if (value == null) {
                throw new IllegalArgumentException(template + " needs the parameter " + name);
              }
              boolean isList = "CommaDelimitedList".equals(facts.get("Type"));
              parameters.put(name, isList ? List.of(value.toString().split(",")) : value);
            });
    given.keySet().stream()
        .filter(name -> !parameters.containsKey(name))
        .forEach(
            name -> {
              throw new IllegalArgumentException(template + " has no parameter " + name);
            });
  }

  /** Resources of a type, by logical id, with their properties resolved; without those left out. */
  Map<String, Map<String, Object>> resources(String type) {
    Map<String, Map<String, Object>> found = new LinkedHashMap<>();
    template
        .section("Resources")
        .forEach(
            (id, description) -> {
              Map<String, Object> resource = Values.map(description);
              if (type.equals(resource.get("Type")) && isMade(resource)) {
                found.put(
                    id, Values.map(resolution.of(resource.getOrDefault("Properties", Map.of()))));
              }
            });
    return found;
  }

  /** What SAM adds to the properties of all resources of a kind. */
  Map<String, Object> globals(String kind) {
    Object properties = template.section("Globals").getOrDefault(kind, Map.of());
    return Values.map(resolution.of(properties));
  }

  private boolean isMade(Map<String, Object> resource) {
    return !resource.containsKey("Condition")
        || resolution.condition(Values.text(resource.get("Condition")));
  }

  /** The stacks that are made within this one. */
  List<Stack> nested() {
    return resources("AWS::CloudFormation::Stack").keySet().stream().map(this::nested).toList();
  }

  Object condition(String name) {
    return required(template.section("Conditions"), name);
  }

  /** Value of a parameter or name of a resource. */
  Object reference(String name) {
    if (parameters.containsKey(name)) {
      return parameters.get(name);
    }
    required(template.section("Resources"), withoutAlias(name));
    return name;
  }

  /** SAM: the alias of a function is called FUNCTION.Alias. */
  private static String withoutAlias(String name) {
    return name.endsWith(".Alias") ? name.substring(0, name.lastIndexOf('.')) : name;
  }

  /** An attribute of a resource, or an output of a nested stack. */
  Object attribute(String resource, String attribute) {
    if (attribute.startsWith("Outputs.")) {
      Stack stack = nested(resource);
      String output = attribute.substring("Outputs.".length());
      Object description = stack.required(stack.template.section("Outputs"), output);
      return stack.resolution.of(Values.map(description).get("Value"));
    }
    Map<String, Object> facts = Values.map(required(template.section("Resources"), resource));
    String form = ARN_FORMS.get(Values.text(facts.get("Type")));
    return attribute.equals("Arn") && form != null
        ? String.format(form, resource)
        : resource + "." + attribute;
  }

  private Stack nested(String id) {
    Stack known = nested.get(id);
    if (known == null) {
      Map<String, Object> facts = Values.map(required(template.section("Resources"), id));
      Map<String, Object> properties = Values.map(facts.get("Properties"));
      known =
          new Stack(
              template.nested(Values.text(properties.get("TemplateURL"))),
              Values.map(resolution.of(properties.getOrDefault("Parameters", Map.of()))));
      nested.put(id, known);
    }
    return known;
  }

  private Object required(Map<String, Object> section, String name) {
    return Optional.ofNullable(section.get(name))
        .orElseThrow(() -> new IllegalArgumentException(template + " has no " + name));
  }
}
