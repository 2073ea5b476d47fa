package io.tidemill.lambda.message;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * An error on its way from one function to another.
 *
 * @param code name of an {@link ErrorCode}; one that this version does not know is {@code INTERNAL}
 * @param message the constant text
 * @param fields values as text
 */
public record Failure(String code, String message, Map<String, String> fields) {
  /** Longest text of a field; the rest is in the function's log. */
  private static final int FIELD_CHARACTERS_MAX = 2_000;

  public Failure {
    fields = Map.copyOf(fields);
  }

  /**
   * Describes an error.
   *
   * @param redaction takes secrets out of a text
   */
  public static Failure of(Throwable error, UnaryOperator<String> redaction) {
    if (!(error instanceof TidemillException known)) {
      return new Failure(
          ErrorCode.INTERNAL.name(),
          "A function failed in a way that was not foreseen.",
          Map.of("error", shortened(redaction.apply(String.valueOf(error)))));
    }
    Map<String, String> fields = new TreeMap<>();
    known
        .fields()
        .forEach(
            (name, value) -> fields.put(name, shortened(redaction.apply(String.valueOf(value)))));
    return new Failure(known.code().name(), redaction.apply(known.text()), fields);
  }

  private static String shortened(String text) {
    return text.length() <= FIELD_CHARACTERS_MAX ? text : text.substring(0, FIELD_CHARACTERS_MAX);
  }

  /** The error again. */
  public TidemillException toException() {
    TidemillException error = new TidemillException(known(), message);
    new TreeMap<>(fields).forEach(error::with);
    return error;
  }

  private ErrorCode known() {
    for (ErrorCode value : ErrorCode.values()) {
      if (value.name().equals(code)) {
        return value;
      }
    }
    return ErrorCode.INTERNAL;
  }
}
