package io.tidemill.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The one JSON codec: records by their component names, keys in order, unknown keys an error. */
public final class Json {
  public static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .addModule(new Jdk8Module())
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(
                  JsonInclude.Include.NON_ABSENT, JsonInclude.Include.ALWAYS))
          .build();

  private Json() {}

  public static String write(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw unwritable(e);
    }
  }

  private static TidemillException unwritable(JsonProcessingException cause) {
    return new TidemillException(
        ErrorCode.INTERNAL, "A value could not be written as JSON.", cause);
  }

  public static byte[] bytes(Object value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw unwritable(e);
    }
  }

  /** Reads what {@link #write} wrote; a text of another shape is {@code CHECKPOINT_CORRUPT}. */
  public static <T> T read(byte[] json, Class<T> type) {
    try {
      return MAPPER.readValue(json, type);
    } catch (IOException e) {
      throw new TidemillException(
              ErrorCode.CHECKPOINT_CORRUPT, "A stored object is not the JSON it should be.", e)
          .with("type", type.getSimpleName());
    }
  }

  public static <T> T read(String json, Class<T> type) {
    return read(json.getBytes(StandardCharsets.UTF_8), type);
  }

  public static JsonNode tree(Object value) {
    return MAPPER.valueToTree(value);
  }
}
