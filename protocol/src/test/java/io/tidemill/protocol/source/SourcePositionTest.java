package io.tidemill.protocol.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SourcePositionTest {
  @Test
  void aPositionEqualsItselfAfterJsonHoweverItsNumbersWereMade() {
    JsonNode made = Json.tree(Map.of("topic", Map.of("0", 5L, "1", 1L << 40), "list", List.of(7)));
    SourcePosition position = new SourcePosition(made);

    SourcePosition read = Json.read(Json.bytes(position), SourcePosition.class);

    assertThat(read).isEqualTo(position).hasSameHashCodeAs(position);
    assertThat(Json.write(read)).isEqualTo(Json.write(position));
  }

  @Test
  void differentPointsDiffer() {
    assertThat(new SourcePosition(Json.tree(Map.of("0", 5))))
        .isNotEqualTo(new SourcePosition(Json.tree(Map.of("0", 6))));
  }
}
