package io.tidemill.infra;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** CloudFormation's functions, as far as the templates use them; any other is an error. */
final class Resolution {
  private static final Pattern PLACE = Pattern.compile("\\$\\{([^}]+)}");

  /** What {@code AWS::NoValue} stands for: the property is not there. */
  private static final Object NOTHING = new Object();

  private static final Map<String, Object> PSEUDO =
      Map.of(
          "AWS::AccountId", "123456789012",
          "AWS::Region", "us-east-1",
          "AWS::Partition", "aws",
          "AWS::URLSuffix", "amazonaws.com",
          "AWS::StackName", "tidemill",
          "AWS::NoValue", NOTHING);

  private final Stack stack;

  Resolution(Stack stack) {
    this.stack = stack;
  }

  /** The value without functions: texts, numbers, booleans, lists and maps of them. */
  Object of(Object value) {
    if (value instanceof List<?> given) {
      List<Object> list = new ArrayList<>();
      given.stream().map(this::of).filter(v -> v != NOTHING).forEach(list::add);
      return list;
    }
    if (!(value instanceof Map<?, ?>)) {
      return value;
    }
    Map<String, Object> given = Values.map(value);
    if (given.size() == 1) {
      String name = given.keySet().iterator().next();
      if (name.equals("Ref") || name.startsWith("Fn::")) {
        return function(name, given.get(name));
      }
    }
    Map<String, Object> map = new LinkedHashMap<>();
    given.forEach(
        (key, content) -> {
          Object resolved = of(content);
          if (resolved != NOTHING) {
            map.put(key, resolved);
          }
        });
    return map;
  }

  /** Whether a named condition holds. */
  boolean condition(String name) {
    return holds(stack.condition(name));
  }

  private Object function(String name, Object argument) {
    return switch (name) {
      case "Ref" -> reference(Values.text(argument));
      case "Fn::GetAtt" -> attribute(argument);
      case "Fn::Sub" -> substituted(Values.text(argument));
      case "Fn::Join" -> {
        List<Object> parts = Values.list(argument);
        yield String.join(Values.text(parts.get(0)), Values.texts(of(parts.get(1))));
      }
      case "Fn::Split" -> {
        List<Object> parts = Values.list(argument);
        String text = Values.text(of(parts.get(1)));
        yield List.of(text.split(Pattern.quote(Values.text(parts.get(0))), -1));
      }
      case "Fn::If" -> {
        List<Object> parts = Values.list(argument);
        yield of(parts.get(condition(Values.text(parts.get(0))) ? 1 : 2));
      }
      default -> throw new IllegalArgumentException("the function " + name + " is not known");
    };
  }

  private Object reference(String name) {
    return PSEUDO.containsKey(name) ? PSEUDO.get(name) : stack.reference(name);
  }

  private Object attribute(Object argument) {
    String path = argument instanceof List<?> ? String.join(".", Values.texts(argument)) : "";
    String text = path.isEmpty() ? Values.text(argument) : path;
    int dot = text.indexOf('.');
    return stack.attribute(text.substring(0, dot), text.substring(dot + 1));
  }

  private String substituted(String text) {
    Matcher place = PLACE.matcher(text);
    StringBuilder filled = new StringBuilder();
    while (place.find()) {
      String name = place.group(1);
      Object value =
          name.contains(".") && !name.endsWith(".Alias") ? attribute(name) : reference(name);
      place.appendReplacement(filled, Matcher.quoteReplacement(Values.text(value)));
    }
    return place.appendTail(filled).toString();
  }

  private boolean holds(Object expression) {
    Map<String, Object> given = Values.map(expression);
    String name = given.keySet().iterator().next();
    Object argument = given.get(name);
    return switch (name) {
      case "Condition" -> condition(Values.text(argument));
      case "Fn::Not" -> !holds(Values.list(argument).get(0));
      case "Fn::And" -> Values.list(argument).stream().allMatch(this::holds);
      case "Fn::Or" -> Values.list(argument).stream().anyMatch(this::holds);
      case "Fn::Equals" -> {
        List<Object> sides = Values.list(argument);
        yield Values.text(of(sides.get(0))).equals(Values.text(of(sides.get(1))));
      }
      default -> throw new IllegalArgumentException("the condition " + name + " is not known");
    };
  }
}
