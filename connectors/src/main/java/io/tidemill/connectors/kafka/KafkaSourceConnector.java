package io.tidemill.connectors.kafka;

import io.tidemill.connectors.Options;
import io.tidemill.connectors.Source;
import io.tidemill.connectors.SourceConnector;
import io.tidemill.connectors.SourceLog;
import io.tidemill.connectors.SourceReader;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Kafka topics as a stream. Spark 4.2: reference section 1. */
final class KafkaSourceConnector implements SourceConnector {
  private static final String RAW = "raw";
  private static final String CSV = "csv";
  private static final List<String> FORMATS = List.of("json", CSV, "text", RAW);
  private static final String WHERE =
      "'topic ' || topic || ', partition ' || partition || ', offset ' || \"offset\"";

  @Override
  public String name() {
    return "kafka";
  }

  @Override
  public void validate(Options options, Schema declared) {
    SourceSettings settings = SourceSettings.of(options);
    String format = format(options);
    if (format.equals(RAW) && !declared.isEmpty()) {
      throw options.invalid(
          SourceSettings.FORMAT,
          "json, csv or text, as the stream has a column list that the value must be decoded to");
    }
    if (!format.equals(RAW) && declared.isEmpty()) {
      throw options.invalid(
          SourceSettings.FORMAT, "a column list for the stream, or the format to be left out");
    }
    columns(options, settings, declared);
  }

  private static String format(Options options) {
    return options.oneOf(SourceSettings.FORMAT, RAW, FORMATS);
  }

  @Override
  public Schema rawSchema(Options options, Schema declared) {
    return new Schema(
        columns(options, SourceSettings.of(options), declared).stream()
            .map(c -> Column.of(c.column(), c.type()))
            .toList());
  }

  /**
   * All columns that can be read. Headers of a decoded stream are there without being asked for, as
   * a hidden column costs nothing until a query names it.
   */
  private static List<RecordColumn> columns(
      Options options, SourceSettings settings, Schema declared) {
    List<RecordColumn> columns = new ArrayList<>(List.of(PayloadColumn.KEY, PayloadColumn.VALUE));
    columns.addAll(List.of(PlainColumn.values()));
    if (settings.includeHeaders() || !declared.isEmpty()) {
      columns.add(new HeadersColumn());
    }
    if (format(options).equals(CSV)) {
      columns.add(new CsvFormat(options, declared.columns().size()));
    }
    return columns;
  }

  @Override
  public Optional<Payload> payload(Options options) {
    String format = format(options);
    if (format.equals(RAW)) {
      return Optional.empty();
    }
    String column = format.equals(CSV) ? CsvFormat.FIELDS : PayloadColumn.VALUE.column();
    return Optional.of(new Payload(format, column, WHERE));
  }

  @Override
  public Source open(Options options, Schema declared, SourceLog log) {
    return new KafkaSource(SourceSettings.of(options));
  }

  @Override
  public SourceReader reader(Options options, Schema declared) {
    SourceSettings settings = SourceSettings.of(options);
    return new KafkaReader(settings, columns(options, settings, declared));
  }
}
