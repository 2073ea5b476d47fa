package io.tidemill.infra;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A statement of a policy.
 *
 * @param id its Sid; if it begins with Platform, the right is for AWS itself or for Kafka brokers,
 *     not for calls of an AWS SDK
 * @param isAllowing false if it denies
 * @param actions as in IAM, perhaps with {@code *}
 * @param resources ARNs, perhaps with {@code *}
 * @param isConditional whether it holds under a condition only
 */
public record Grant(
    String id,
    boolean isAllowing,
    List<String> actions,
    List<String> resources,
    boolean isConditional) {
  public Grant {
    actions = List.copyOf(actions);
    resources = List.copyOf(resources);
  }

  /** Whether it is for AWS itself or for Kafka brokers. */
  public boolean isPlatform() {
    return id.startsWith("Platform");
  }

  boolean hasAction(String action) {
    return actions.stream().anyMatch(pattern -> matches(pattern, action));
  }

  boolean covers(Call call) {
    return call.resource().isEmpty()
        || resources.stream().anyMatch(pattern -> matches(pattern, call.resource().get()));
  }

  /** IAM's wildcards: {@code *} for any text, {@code ?} for one sign. */
  static boolean matches(String pattern, String text) {
    String expression =
        pattern
            .chars()
            .mapToObj(sign -> sign == '*' ? ".*" : sign == '?' ? "." : quoted(sign))
            .collect(Collectors.joining());
    return Pattern.compile(expression, Pattern.DOTALL).matcher(text).matches();
  }

  private static String quoted(int sign) {
    return Pattern.quote(Character.toString(sign));
  }

  static Grant of(Object statement) {
    var facts = Values.map(statement);
    return new Grant(
        Values.text(facts.get("Sid")),
        Values.text(facts.get("Effect")).equals("Allow"),
        Values.texts(facts.get("Action")),
        Values.texts(facts.get("Resource")),
        facts.containsKey("Condition"));
  }
}
