package io.tidemill.connectors.kafka;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemill.protocol.Json;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBDataChunkWriter;

/** Headers of a record, null if it has none. They travel as JSON with values in base 64. */
final class HeadersColumn implements RecordColumn {
  static final String NAME = "headers";
  static final String TYPE = "STRUCT(\"key\" VARCHAR, \"value\" BLOB)[]";

  @Override
  public String column() {
    return NAME;
  }

  @Override
  public String type() {
    return TYPE;
  }

  @Override
  public List<Carrier> carriers() {
    return List.of(new Carrier(NAME, DuckDBColumnType.VARCHAR));
  }

  @Override
  public String sql() {
    return sqlFromJson("\"" + NAME + "\"");
  }

  /** SQL that makes headers of their JSON form. */
  static String sqlFromJson(String json) {
    return "list_transform(from_json("
        + json
        + ", '[{\"key\":\"VARCHAR\",\"value\":\"VARCHAR\"}]'),"
        + " lambda h: struct_pack(\"key\" := h.\"key\", \"value\" := from_base64(h.\"value\")))";
  }

  @Override
  public void fill(
      List<ConsumerRecord<byte[], byte[]>> records, DuckDBDataChunkWriter chunk, int first) {
    byte[][] texts = new byte[records.size()][];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = json(records.get(i).headers());
    }
    chunk.vector(first).setStringUtf8Batch(0, texts);
  }

  private static byte[] json(Headers headers) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    for (Header header : headers) {
      list.addObject().put("key", header.key()).put("value", header.value());
    }
    return list.isEmpty() ? null : Json.bytes(list);
  }
}
