package io.tidemill.protocol;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Which rows of the result table a batch emits. Spark 4.2: reference section 5. */
public enum OutputMode {
  APPEND,
  UPDATE,
  COMPLETE;

  @JsonValue
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
