package io.tidemill.protocol.error;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The one exception family. The message text is constant per place (what failed, why, what to do);
 * values go into fields, in the order they were added. Fields never carry secrets.
 */
public final class TidemillException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Field whose value is a piece of the job's text with a caret; shown on lines of its own. */
  public static final String SNIPPET = "snippet";

  private final ErrorCode code;
  private final transient Map<String, Object> fields = new LinkedHashMap<>();

  public TidemillException(ErrorCode code, String message) {
    super(message);
    this.code = code;
  }

  public TidemillException(ErrorCode code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /** Adds a named value and returns this exception. */
  public TidemillException with(String field, Object value) {
    fields.put(field, value);
    return this;
  }

  public ErrorCode code() {
    return code;
  }

  public Category category() {
    return code.category();
  }

  public Map<String, Object> fields() {
    return Collections.unmodifiableMap(fields);
  }

  /** The text without the fields. */
  public String text() {
    return super.getMessage();
  }

  @Override
  public String getMessage() {
    String named =
        fields.entrySet().stream()
            .filter(e -> !e.getKey().equals(SNIPPET))
            .map(e -> e.getKey() + "=" + e.getValue())
            .collect(Collectors.joining(", "));
    String snippet = fields.containsKey(SNIPPET) ? "\n" + fields.get(SNIPPET) : "";
    return super.getMessage() + (named.isEmpty() ? "" : " [" + named + "]") + snippet;
  }
}
