package io.tidemill.query.plan;

import io.tidemill.protocol.schema.Schema;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One reference to a stream. A stream that a query names twice is read twice, as in Spark.
 *
 * @param index position in the plan's sources and in the checkpoint
 * @param stream the stream's name
 * @param declared the stream's column list, empty if it has the connector's raw schema
 * @param malformed what to do with records that do not decode
 * @param eventTime the column with a watermark, if any
 * @param columns columns the query uses, hidden ones included; what is not here need not be read
 * @param watermarkConditions conditions over {@link #ROW}; a row for which one of them is not true
 *     does not count for the result and does not move the watermark
 */
public record SourcePlan(
    int index,
    String stream,
    ConnectorSpec connector,
    Schema declared,
    Malformed malformed,
    Optional<EventTime> eventTime,
    Set<String> columns,
    List<String> watermarkConditions) {
  /** What the conditions call the decoded rows. */
  public static final String ROW = OwnNames.PREFIX + "row";

  public SourcePlan {
    watermarkConditions = List.copyOf(watermarkConditions);
  }

  /**
   * Where event time is seen.
   *
   * @param column a TIMESTAMP column of the stream, or of {@code rows}
   * @param delayMillis how long rows may be late
   * @param rows if the query works the column out: a SELECT over the decoded rows, named {@link
   *     OwnNames#INPUT}, whose rows show the event time and are then the input of the source's
   *     stage
   */
  public record EventTime(String column, long delayMillis, Optional<String> rows) {
    /** Event time in a column of the stream itself. */
    public EventTime(String column, long delayMillis) {
      this(column, delayMillis, Optional.empty());
    }
  }

  /** What happens to a record that does not decode. */
  public sealed interface Malformed {
    /** The query fails; the error says where the record is. */
    record Fail() implements Malformed {}

    /** The record is counted and left out. */
    record Drop() implements Malformed {}

    /**
     * The record is written to a sink and left out.
     *
     * @param sink index into {@link QueryPlan#sinks()}
     */
    record DeadLetter(int sink) implements Malformed {}
  }
}
