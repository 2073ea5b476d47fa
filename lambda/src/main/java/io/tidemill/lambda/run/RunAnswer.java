package io.tidemill.lambda.run;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * What became of a trigger.
 *
 * @param lastBatch the last one this run did
 */
record RunAnswer(
    String query,
    Outcome outcome,
    long batches,
    long inputRows,
    long outputRows,
    OptionalLong lastBatch) {
  /** How it ended. */
  enum Outcome {
    /** Nothing is left to do. */
    DONE,
    /** The time was over; another invocation goes on. */
    CONTINUED,
    /** Another run is at work; nothing was done. */
    ACTIVE,
    /** Somebody stopped the query; nothing was done. */
    STOPPED,
    /** Another run took over in the middle. */
    FENCED,
    /** Each query of the job has an invocation of its own now. */
    STARTED,
    /** It can be triggered again. */
    STARTABLE;

    @JsonValue
    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static RunAnswer nothingDone(String query, Outcome outcome) {
    return new RunAnswer(query, outcome, 0, 0, 0, OptionalLong.empty());
  }
}
