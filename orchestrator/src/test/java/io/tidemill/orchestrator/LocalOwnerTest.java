package io.tidemill.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class LocalOwnerTest {
  private final LocalOwner owner = LocalOwner.ofThisHost();

  @Test
  void thisProcessIsNotGone() {
    assertThat(owner.text().split("/", -1)).hasSize(3);
    assertThat(owner.isGone(owner.text() + "/run")).isFalse();
  }

  @Test
  void aProcessThatEndedIsGone() throws IOException, InterruptedException {
    String java = ProcessHandle.current().info().command().orElseThrow();
    Process process = new ProcessBuilder(java, "-version").start();
    process.waitFor();
    assertThat(owner.isGone(host() + "/" + process.pid() + "/0/run")).isTrue();
  }

  @Test
  void aLaterProcessWithTheSameNumberIsAnotherOne() {
    assertThat(owner.isGone(host() + "/" + ProcessHandle.current().pid() + "/12345/run")).isTrue();
  }

  @Test
  void nothingIsKnownAboutOtherHostsAndOtherTexts() {
    assertThat(owner.isGone("elsewhere-" + host() + "/1/0/run")).isFalse();
    assertThat(owner.isGone("someone")).isFalse();
    assertThat(owner.isGone(host() + "/many/0/run")).isFalse();
  }

  private String host() {
    return owner.text().split("/", -1)[0];
  }
}
