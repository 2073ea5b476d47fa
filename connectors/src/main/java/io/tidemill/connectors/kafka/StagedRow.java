package io.tidemill.connectors.kafka;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * A record to be sent, as it is staged.
 *
 * @param headers JSON with values in base 64, or null
 * @param topic null if all rows go to the sink's topic
 * @param partition null to leave it to the partitioner
 */
record StagedRow(byte[] key, byte[] value, String headers, String topic, Integer partition) {
  /** SELECT that turns the sink's rows into the columns of this record. */
  static String select(Schema rows, String table, boolean withTopic) {
    return "SELECT "
        + bytes(rows, "key")
        + ", "
        + bytes(rows, "value")
        + ", "
        + rows.find(HeadersColumn.NAME)
            .map(
                c ->
                    "CAST(to_json(list_transform("
                        + Sql.name(c.name())
                        + ", lambda h: struct_pack(\"key\" := h.\"key\", \"value\" :="
                        + " base64(h.\"value\")))) AS VARCHAR)")
            .orElse("CAST(NULL AS VARCHAR)")
        + " AS headers, "
        + (withTopic ? Sql.name("topic") : "CAST(NULL AS VARCHAR)")
        + " AS topic, "
        + rows.find("partition").map(c -> Sql.name(c.name())).orElse("CAST(NULL AS INTEGER)")
        + " AS \"partition\" FROM "
        + Sql.name(table);
  }

  private static String bytes(Schema rows, String column) {
    String name = Sql.name(column);
    String sql =
        rows.find(column)
            .map(c -> c.type().equalsIgnoreCase("BLOB") ? name : "encode(" + name + ")")
            .orElse("CAST(NULL AS BLOB)");
    return sql + " AS " + name;
  }

  static StagedRow of(ResultSet row) throws SQLException {
    int partition = row.getInt(5);
    return new StagedRow(
        row.getBytes(1),
        row.getBytes(2),
        row.getString(3),
        row.getString(4),
        row.wasNull() ? null : Integer.valueOf(partition));
  }

  ProducerRecord<byte[], byte[]> record(Optional<String> sinkTopic) {
    return new ProducerRecord<>(
        sinkTopic.orElse(topic), partition, null, key, value, recordHeaders());
  }

  private List<Header> recordHeaders() {
    if (headers == null) {
      return List.of();
    }
    List<Header> list = new ArrayList<>();
    try {
      for (JsonNode header : Json.MAPPER.readTree(headers)) {
        list.add(new RecordHeader(header.path("key").asText(), header.path("value").binaryValue()));
      }
    } catch (JsonProcessingException e) {
      throw corrupt(e);
    } catch (IOException e) {
      throw corrupt(e);
    }
    return list;
  }

  private static TidemillException corrupt(IOException cause) {
    return new TidemillException(
        ErrorCode.CHECKPOINT_CORRUPT, "Staged headers are not what was written.", cause);
  }
}
