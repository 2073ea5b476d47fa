package io.tidemill.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class StateSettingsTest {
  private static final StateSettings SETTINGS = StateSettings.DEFAULT;

  @Test
  void defaultsAreAsDocumented() {
    assertThat(SETTINGS).isEqualTo(new StateSettings(64, 16, 8, 100_000));
  }

  @Test
  void smallDeltasOnALargeStateAreLeftUntilThereAreTooManyFiles() {
    assertThat(SETTINGS.worthRewriting(64, 1_063_000, 1_000_000)).isFalse();
    assertThat(SETTINGS.worthRewriting(65, 1_064_000, 1_000_000)).isTrue();
  }

  @Test
  void manyFilesWithWasteAreRewritten() {
    assertThat(SETTINGS.worthRewriting(16, 1_200_000, 1_000_000)).isFalse();
    assertThat(SETTINGS.worthRewriting(17, 1_200_000, 1_000_000)).isTrue();
    assertThat(SETTINGS.worthRewriting(17, 1_100_000, 1_000_000)).isFalse();
  }

  @Test
  void moreWasteThanRowsIsRewrittenAtOnceUnlessItIsSmall() {
    assertThat(SETTINGS.worthRewriting(2, 2_000_000, 1_000_000)).isTrue();
    assertThat(SETTINGS.worthRewriting(2, 1_999_999, 1_000_000)).isFalse();
    assertThat(SETTINGS.worthRewriting(2, 99_999, 0)).isFalse();
    assertThat(SETTINGS.worthRewriting(2, 100_000, 0)).isTrue();
  }

  @Test
  void impossibleSettingsAreRefused() {
    assertThatThrownBy(() -> new StateSettings(0, 0, 1, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new StateSettings(1, 0, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
