package io.tidemill.connectors.kafka;

import io.tidemill.connectors.Options;
import io.tidemill.connectors.file.CsvDialect;
import io.tidemill.connectors.file.CsvParser;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.schema.Sql;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBDataChunkWriter;
import org.duckdb.DuckDBFunctions;

/**
 * Splits a record's value into fields; each value is one row. The fields are null where the value
 * is null or not one CSV record. Values without quotes and line ends, nearly all, are split by
 * DuckDB.
 */
final class CsvFormat implements RecordColumn {
  static final String FIELDS = "fields";

  private static final Pattern LINE_END = Pattern.compile("\r\n|\n|\r");

  private final CsvDialect dialect;
  private final CsvParser parser;

  CsvFormat(Options options) {
    this.dialect = CsvDialect.forReading(options);
    this.parser = new CsvParser(dialect);
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
    String split =
        "list_transform(string_split(fields_text, chr("
            + (int) dialect.separator()
            + ")), lambda f: nullif(f, "
            + Sql.text(dialect.nullValue())
            + "))";
    return "CASE WHEN fields_json IS NULL THEN "
        + split
        + " ELSE from_json(fields_json, '[\"VARCHAR\"]') END";
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
      } else if (value != null && PayloadColumn.isUtf8(value)) {
        parsed[i] = parse(new String(value, StandardCharsets.UTF_8));
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

  private boolean isPlain(byte[] value) {
    for (byte b : value) {
      if (b == '\n' || b == '\r' || b == dialect.quote()) {
        return false;
      }
    }
    return true;
  }

  /** The fields as a JSON array, or null if the text is not one record; a line end may follow. */
  private byte[] parse(String text) {
    parser.start();
    Matcher lineEnd = LINE_END.matcher(text);
    int start = 0;
    boolean complete = false;
    while (!complete && start < text.length()) {
      boolean more = lineEnd.find();
      complete = parser.line(text.substring(start, more ? lineEnd.start() : text.length()));
      start = more ? lineEnd.end() : text.length();
      if (more && !complete) {
        parser.lineBreak(lineEnd.group());
      }
    }
    boolean isOne = complete && start == text.length() && parser.problem().isEmpty();
    return isOne ? Json.bytes(parser.fields()) : null;
  }
}
