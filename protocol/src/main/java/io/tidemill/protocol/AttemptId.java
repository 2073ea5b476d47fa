package io.tidemill.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.regex.Pattern;

/**
 * Marks one try at a write. A writer that does not know whether its write happened reads back and
 * looks for its own attempt id.
 */
public record AttemptId(@JsonValue String value) {
  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  @JsonCreator
  public AttemptId {
    if (!FORM.matcher(value).matches()) {
      throw new IllegalArgumentException("not an attempt id: " + value);
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
