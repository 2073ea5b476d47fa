package io.tidemill.query.job;

import io.tidemill.protocol.error.ErrorCode;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Values that a job leaves open: {@code ${NAME}} and {@code ${NAME:default}} in the option and
 * setting texts of a job file.
 */
public final class Variables {
  private static final Pattern FORM =
      Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_.-]*)(?::([^}]*))?}");

  private final Map<String, String> given;
  private final UnaryOperator<String> environment;

  /**
   * @param given values that win over the environment
   * @param environment value of an environment variable, or null
   */
  public Variables(Map<String, String> given, UnaryOperator<String> environment) {
    this.given = Map.copyOf(given);
    this.environment = environment;
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
      String found =
          value(name)
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
