package io.tidemill.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.error.TidemillException;
import org.junit.jupiter.api.Test;

class WatermarkTest {
  private record Holder(Watermark watermark) {}

  @Test
  void everyWatermarkSurvivesJson() {
    for (Watermark watermark :
        new Watermark[] {
          Watermark.NONE,
          Watermark.ofMillis(-5),
          Watermark.ofMillis(0),
          Watermark.ofMillis(1L << 40)
        }) {
      Holder holder = new Holder(watermark);
      assertThat(Json.read(Json.bytes(holder), Holder.class)).isEqualTo(holder);
    }
  }

  @Test
  void anythingElseIsNoWatermark() {
    assertThatThrownBy(() -> Json.read("{\"watermark\":\"soon\"}", Holder.class))
        .isInstanceOf(TidemillException.class);
  }

  @Test
  void noneIsBeforeEveryPoint() {
    Watermark early = Watermark.ofMillis(-1_000_000);
    assertThat(Watermark.NONE.max(early)).isEqualTo(early);
    assertThat(early.min(Watermark.NONE)).isEqualTo(Watermark.NONE);
  }
}
