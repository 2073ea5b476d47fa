package io.tidemill.badinput;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.process.Outcome;

/** What every error of the command has in common. */
final class Complaint {
  private Complaint() {}

  /** Checks an exit code, that there is one message and no stack trace, and what is said. */
  static void assertThatIt(Outcome outcome, int code, String... says) {
    assertThat(outcome.code()).as(outcome.all()).isEqualTo(code);
    assertThat(outcome.errors().lines().filter(l -> l.startsWith("error: "))).hasSize(1);
    assertThat(outcome.all()).doesNotContain("\tat ", "Exception");
    assertThat(outcome.errors()).contains(says);
  }
}
