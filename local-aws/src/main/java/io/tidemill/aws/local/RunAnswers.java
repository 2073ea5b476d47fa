package io.tidemill.aws.local;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.host.Watch;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads answers of the orchestrator. */
final class RunAnswers {
  private static final Pattern CODE = Pattern.compile("[\\[ ]code=([A-Z_]+)[,\\]]");

  /** Errors of the platform, not of the code that runs on it. */
  private static final Pattern PLATFORM = Pattern.compile("(Runtime|Sandbox)\\..*");

  private RunAnswers() {}

  /** What became of a run, e.g. {@code done}; empty if it failed. */
  static String outcome(Watch.Ending ending) {
    return ending.failed()
        ? ""
        : Json.read(ending.answer(), JsonNode.class).path("outcome").asText();
  }

  /** Whether another invocation goes on with it. */
  static boolean isContinued(Watch.Ending ending) {
    return outcome(ending).equals("continued");
  }

  /** The error that a run ended with. */
  static TidemillException error(Watch.Ending ending) {
    if (ending.answer().length == 0) {
      return new TidemillException(ErrorCode.INTERNAL, "The orchestrator's process ended.");
    }
    JsonNode answer = Json.read(ending.answer(), JsonNode.class);
    String message = answer.path("errorMessage").asText();
    if (PLATFORM.matcher(answer.path("errorType").asText()).matches()) {
      return new TidemillException(
              ErrorCode.INTERNAL,
              "The orchestrator's process ended before it answered. With --keep DIR, what it"
                  + " printed is in DIR/functions.log.")
          .with("reason", message);
    }
    Matcher code = CODE.matcher(message);
    return new TidemillException(code.find() ? known(code.group(1)) : ErrorCode.INTERNAL, message);
  }

  private static ErrorCode known(String name) {
    for (ErrorCode code : ErrorCode.values()) {
      if (code.name().equals(name)) {
        return code;
      }
    }
    return ErrorCode.INTERNAL;
  }
}
