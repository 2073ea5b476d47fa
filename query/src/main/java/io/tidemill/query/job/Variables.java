package io.tidemill.query.job;

import io.tidemill.protocol.error.ErrorCode;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fills in {@code ${NAME}} and {@code ${NAME:default}} in option and setting texts, and references
 * {@code ${scheme:name}} to values kept elsewhere. The schemes {@code secret} and {@code ssm} are
 * never taken for variables with a default: where nobody looks them up, they are mistakes.
 */
public final class Variables {
  private static final Pattern FORM =
      Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_.-]*)(?::([^}]*))?}");

  private static final Set<String> SCHEMES = Set.of("secret", "ssm");

  private final Map<String, String> given;
  private final UnaryOperator<String> environment;
  private final Map<String, UnaryOperator<String>> references;

  /**
   * @param given values that win over the environment
   * @param environment value of an environment variable, or null
   */
  public Variables(Map<String, String> given, UnaryOperator<String> environment) {
    this(given, environment, Map.of());
  }

  /**
   * @param given values that win over the environment
   * @param environment value of an environment variable, or null
   * @param references by scheme, what gives the value of a name or throws; a variable with the name
   *     of a scheme cannot have a default
   */
  public Variables(
      Map<String, String> given,
      UnaryOperator<String> environment,
      Map<String, UnaryOperator<String>> references) {
    this.given = Map.copyOf(given);
    this.environment = environment;
    this.references = Map.copyOf(references);
  }

  public static Variables none() {
    return new Variables(Map.of(), name -> null);
  }

  /** The value given for a name, or else the environment's. */
  public Optional<String> value(String name) {
    return Optional.ofNullable(given.get(name))
        .or(() -> Optional.ofNullable(environment.apply(name)));
  }

  String fill(JobText job, String value, int offset) {
    Matcher m = FORM.matcher(value);
    StringBuilder filled = new StringBuilder();
    while (m.find()) {
      String name = m.group(1);
      Optional<UnaryOperator<String>> reference =
          Optional.ofNullable(m.group(2)).map(unused -> references.get(name));
      if (m.group(2) != null
          && reference.isEmpty()
          && SCHEMES.contains(name)
          && !given.containsKey(name)) {
        throw job.error(
            ErrorCode.JOB_SYNTAX,
            offset,
            value.length() + 2,
            "References to stored secrets are looked up by the functions in AWS only. Here, set the"
                + " value with --set "
                + name
                + "=….");
      }
      String found =
          reference
              .map(lookup -> lookup.apply(m.group(2)))
              .or(() -> value(name))
              .or(() -> Optional.ofNullable(m.group(2)))
              .orElseThrow(
                  () ->
                      job.error(
                          ErrorCode.JOB_SYNTAX,
                          offset,
                          value.length() + 2,
                          "The variable "
                              + name
                              + " has no value; set it in the environment or with --set "
                              + name
                              + "=…, or write ${"
                              + name
                              + ":default}."));
      m.appendReplacement(filled, Matcher.quoteReplacement(found));
    }
    return m.appendTail(filled).toString();
  }
}
