package io.tidemill.connectors;

import io.tidemill.protocol.schema.Schema;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A kind of source, named in {@code connector = '…'}. Stateless and thread-safe. */
public interface SourceConnector {
  String name();

  /**
   * Checks options without connecting to anything.
   *
   * @param declared the column list of the stream, empty if it has none
   */
  void validate(Options options, Schema declared);

  /**
   * Options the connector finds out by looking at the source, once, when a query is planned: e.g.
   * the columns of Parquet files if none are declared. The planner adds them to those written
   * ({@link Options#with}), so that the plan and all functions see the same columns whatever
   * happens to the source meanwhile.
   */
  default Map<String, String> inferred(Options options, Schema declared) {
    return Map.of();
  }

  /** Columns as read, before any decoding. */
  Schema rawSchema(Options options, Schema declared);

  /**
   * How the payload becomes the declared columns; empty if {@link #rawSchema} already has them
   * typed.
   */
  Optional<Payload> payload(Options options);

  /**
   * Opens the planning side. {@code seen} is where a source may keep long lists it must remember.
   */
  Source open(Options options, Schema declared, SourceLog log);

  /** Opens the reading side. */
  SourceReader reader(Options options, Schema declared);

  /**
   * A payload that the engine decodes.
   *
   * @param format json, csv or text
   * @param column raw column with the payload: BLOB for json and text; for csv VARCHAR[] of fields,
   *     one for each declared column in order, null if the record is malformed
   * @param where SQL expression over raw columns that tells people where a record is, e.g. topic,
   *     partition and offset
   * @param beside declared columns that are not in the payload: the raw column of the same name has
   *     them typed, e.g. partition columns of directories
   */
  record Payload(String format, String column, String where, Set<String> beside) {
    public Payload {
      beside = Set.copyOf(beside);
    }

    public Payload(String format, String column, String where) {
      this(format, column, where, Set.of());
    }
  }
}
