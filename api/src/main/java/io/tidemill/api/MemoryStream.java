package io.tidemill.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * A stream of rows that the program adds itself, for tests. Each call of {@link #addData} is one
 * batch of input. Thread-safe.
 */
public final class MemoryStream {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final Session session;
  private final String name;
  private final String schema;

  private MemoryStream(Session session, String name, String schema) {
    this.session = session;
    this.name = name;
    this.schema = schema;
  }

  /**
   * A stream of the session.
   *
   * @param schema e.g. {@code k STRING, v INT, ts TIMESTAMP}
   */
  public static MemoryStream of(Session session, String name, String schema) {
    return new MemoryStream(session, name, schema);
  }

  /** Adds rows of one value for each column; times as {@code Instant} or ISO 8601 text. */
  public void addData(Row... rows) {
    addData(List.of(rows));
  }

  public void addData(List<Row> rows) {
    List<JsonNode> nodes = new ArrayList<>();
    for (Row row : rows) {
      nodes.add(node(row.toList()));
    }
    session.memoryStreams().stream(name).addData(nodes);
  }

  /** The stream as a dataset. */
  public Dataset<Row> toDF() {
    return session
        .readStream()
        .format("memory")
        .name(name)
        .option("name", name)
        .schema(schema)
        .load();
  }

  private static JsonNode node(Object value) {
    if (value instanceof Collection<?> list) {
      ArrayNode array = NODES.arrayNode();
      list.forEach(e -> array.add(node(e)));
      return array;
    }
    if (value instanceof Map<?, ?> map) {
      ObjectNode object = NODES.objectNode();
      map.forEach((k, v) -> object.set(String.valueOf(k), node(v)));
      return object;
    }
    if (value instanceof Boolean flag) {
      return NODES.booleanNode(flag);
    }
    if (value instanceof byte[] bytes) {
      return NODES.textNode(new String(bytes, StandardCharsets.UTF_8));
    }
    boolean special = value instanceof Double d && !Double.isFinite(d);
    if (value instanceof Number number && !special) {
      return NODES.numberNode(new BigDecimal(number.toString()));
    }
    return value == null ? NODES.nullNode() : NODES.textNode(value.toString());
  }
}
