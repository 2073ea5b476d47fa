package io.tidemill.connectors.kafka;

import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import io.tidemill.connectors.Options;
import io.tidemill.protocol.Json;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBDataChunkWriter;
import org.duckdb.DuckDBFunctions;

/**
 * Splits a record's value into fields by RFC 4180; each value is one row. The fields are null where
 * the value is null, no CSV, or has another number of fields than the stream has columns. Values
 * without quotes and line ends, nearly all, are split by DuckDB.
 */
final class CsvFormat implements RecordColumn {
  static final String FIELDS = "fields";
  static final String SEPARATOR = "sep";
  static final String QUOTE = "quote";
  static final String ESCAPE = "escape";

  private final int columns;
  private final char separator;
  private final Optional<Character> quote;
  private final Optional<Character> escape;
  private final ObjectReader reader;

  /**
   * @param columns how many fields a record has; with another number it is no row of the stream
   */
  CsvFormat(Options options, int columns) {
    this.columns = columns;
    this.separator =
        character(options, SEPARATOR, ",")
            .orElseThrow(() -> options.invalid(SEPARATOR, "one character"));
    this.quote = character(options, QUOTE, "\"");
    this.escape = character(options, ESCAPE, "");
    CsvSchema.Builder schema = CsvSchema.builder().setColumnSeparator(separator);
    quote.ifPresentOrElse(schema::setQuoteChar, schema::disableQuoteChar);
    escape.ifPresent(schema::setEscapeChar);
    this.reader =
        new CsvMapper()
            .readerFor(String[].class)
            .with(CsvParser.Feature.WRAP_AS_ARRAY)
            .with(schema.build());
  }

  private static Optional<Character> character(Options options, String name, String byDefault) {
    String text = options.text(name, byDefault);
    if (text.equals("\\t")) {
      return Optional.of('\t');
    }
    if (text.length() > 1 || text.chars().anyMatch(c -> c >= 128)) {
      throw options.invalid(name, "one ASCII character");
    }
    return text.isEmpty() ? Optional.empty() : Optional.of(text.charAt(0));
  }

  @Override
  public String column() {
    return FIELDS;
  }

  @Override
  public String type() {
    return "VARCHAR[]";
  }

  @Override
  public List<Carrier> carriers() {
    return List.of(
        new Carrier("fields_text", DuckDBColumnType.VARCHAR),
        new Carrier("fields_json", DuckDBColumnType.VARCHAR));
  }

  @Override
  public String sql() {
    String fields =
        "CASE WHEN fields_json IS NULL THEN string_split(fields_text, chr("
            + (int) separator
            + ")) ELSE from_json(fields_json, '[\"VARCHAR\"]') END";
    return "CASE WHEN len(" + fields + ") = " + columns + " THEN " + fields + " END";
  }

  @Override
  public void fill(
      List<ConsumerRecord<byte[], byte[]>> records, DuckDBDataChunkWriter chunk, int first) {
    byte[][] plain = new byte[records.size()][];
    byte[][] parsed = new byte[records.size()][];
    for (int i = 0; i < plain.length; i++) {
      byte[] value = records.get(i).value();
      if (value != null && isPlain(value)) {
        plain[i] = value;
      } else if (value != null) {
        parsed[i] = parse(value);
      }
    }
    try {
      chunk.vector(first).setStringUtf8Batch(0, plain);
    } catch (DuckDBFunctions.FunctionException e) {
      // At least one is no UTF-8, and so no CSV.
      for (int i = 0; i < plain.length; i++) {
        plain[i] = plain[i] == null || PayloadColumn.isUtf8(plain[i]) ? plain[i] : null;
      }
      chunk.vector(first).setStringUtf8Batch(0, plain);
    }
    chunk.vector(first + 1).setStringUtf8Batch(0, parsed);
  }

  /** Without quotes, escapes and line ends. */
  private boolean isPlain(byte[] value) {
    for (byte b : value) {
      if (b == '\n'
          || b == '\r'
          || (quote.isPresent() && b == quote.get())
          || (escape.isPresent() && b == escape.get())) {
        return false;
      }
    }
    return true;
  }

  /** The fields as a JSON array, or null if the value is not one line of CSV. */
  private byte[] parse(byte[] value) {
    try (MappingIterator<String[]> rows = reader.readValues(value)) {
      if (!rows.hasNextValue()) {
        return null;
      }
      String[] fields = rows.nextValue();
      return rows.hasNextValue() ? null : Json.bytes(fields);
    } catch (IOException e) {
      // Not CSV: the engine finds null fields beside a value and treats the record as malformed.
      return null;
    }
  }
}
