package io.tidemill.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.protocol.AttemptId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every form of {@link Register} must do, seen through {@link Settled} and with patience, so
 * that it also holds for storage that fails.
 */
public abstract class RegisterContract {
  private static final CommitOutcome CONFLICT = new CommitOutcome.Conflict();

  @TempDir protected Path directory;
  private final CountedIds ids = new CountedIds("attempt");

  /** Another handle, as of another process, on the store of this test. */
  protected abstract Register open();

  /** Rounds of the race. */
  protected int rounds() {
    return 40;
  }

  protected static CommitOutcome committed(long version) {
    return new CommitOutcome.Committed(version);
  }

  protected static CommitOutcome set(
      Register register, String name, long expected, AttemptId attempt, String json) {
    return Patiently.call(
        () -> Settled.compareAndSet(register, name, expected, attempt, json.getBytes(UTF_8)));
  }

  private CommitOutcome set(Register register, String name, long expected, String json) {
    return set(register, name, expected, ids.nextAttempt(), json);
  }

  protected static Optional<Register.Versioned> read(Register register, String name) {
    return Patiently.call(() -> register.read(name));
  }

  protected static String value(Register register, String name) {
    return new String(read(register, name).orElseThrow().value(), UTF_8);
  }

  @Test
  void nobodyHasWrittenAnAbsentRegister() {
    Register register = open();
    assertThat(read(register, "head")).isEmpty();
    assertThat(set(register, "head", 1, "1")).isEqualTo(CONFLICT);
    assertThat(read(register, "head")).isEmpty();
  }

  @Test
  void versionsIncreaseByOneAndEachWriteIsRead() {
    Register writer = open();
    Register reader = open();
    for (long version = 1; version <= 30; version++) {
      AttemptId attempt = ids.nextAttempt();
      String json = "{\"batch\":" + version + "}";
      assertThat(set(writer, "head", version - 1, attempt, json)).isEqualTo(committed(version));
      for (Register one : List.of(writer, reader, open())) {
        Register.Versioned now = read(one, "head").orElseThrow();
        assertThat(now.version()).isEqualTo(version);
        assertThat(now.attempt()).isEqualTo(attempt);
        assertThat(new String(now.value(), UTF_8)).isEqualTo(json);
      }
    }
  }

  @Test
  void writerWithAnOldOrUnbornVersionGetsConflictAndChangesNothing() {
    Register register = open();
    for (long version = 0; version < 5; version++) {
      set(register, "head", version, "" + version);
    }
    for (long expected : new long[] {0, 1, 3, 4, 6, 7, 100}) {
      assertThat(set(open(), "head", expected, "-1")).as("%d", expected).isEqualTo(CONFLICT);
      assertThat(set(register, "head", expected, "-1")).as("%d", expected).isEqualTo(CONFLICT);
    }
    assertThat(value(register, "head")).isEqualTo("4");
    assertThat(set(register, "head", 5, "5")).isEqualTo(committed(6));
  }

  @Test
  void twoWritersTakeTurns() {
    Register one = open();
    Register two = open();
    for (long version = 0; version < 20; version += 2) {
      assertThat(set(one, "head", version, "1")).isEqualTo(committed(version + 1));
      assertThat(set(one, "head", version, "3")).isEqualTo(CONFLICT);
      assertThat(set(two, "head", version + 1, "2")).isEqualTo(committed(version + 2));
      assertThat(set(one, "head", version + 1, "3")).isEqualTo(CONFLICT);
    }
  }

  @Test
  void repeatedAttemptIsCommittedAgainWhileItIsTheNewestOrTheOneBefore() {
    Register register = open();
    set(register, "head", 0, "0");
    AttemptId attempt = ids.nextAttempt();
    assertThat(set(register, "head", 1, attempt, "1")).isEqualTo(committed(2));
    assertThat(set(register, "head", 1, attempt, "1")).isEqualTo(committed(2));
    assertThat(set(open(), "head", 1, attempt, "1")).isEqualTo(committed(2));

    assertThat(set(open(), "head", 2, "2")).isEqualTo(committed(3));
    assertThat(set(register, "head", 1, attempt, "1")).isEqualTo(committed(2));
    assertThat(set(open(), "head", 1, attempt, "1")).isEqualTo(committed(2));
    assertThat(value(register, "head")).isEqualTo("2");
  }

  @Test
  void registersOfDifferentNamesAreIndependent() {
    Register register = open();
    List<String> names = List.of("head", "head2", "a/head", "a/b");
    for (String name : names) {
      assertThat(set(register, name, 0, "\"" + name + "\"")).isEqualTo(committed(1));
    }
    assertThat(set(register, "a/b", 1, "2")).isEqualTo(committed(2));
    for (String name : names.subList(0, 3)) {
      assertThat(value(open(), name)).isEqualTo("\"" + name + "\"");
    }
  }

  @Test
  void valueComesBackByteByByte() {
    Register register = open();
    String large = "[\"" + "\u00e4\uD83C\uDF0A\\\"x".repeat(40_000) + "\"]";
    List<String> values =
        List.of(" {\"a\" : 1.50,\n\t\"b\":[ ]}\n", "null", "1e400", "\"\"", "{\"value\":1}", large);
    long version = 0;
    for (String json : values) {
      set(register, "head", version++, json);
      assertThat(value(open(), "head")).isEqualTo(json);
    }
  }

  @Test
  void oneOfSixteenRacingWritersWinsEachVersion() throws Exception {
    List<Register> handles = new ArrayList<>();
    for (int i = 0; i < Racers.COUNT; i++) {
      handles.add(open());
    }
    try (Racers racers = new Racers()) {
      for (long round = 0; round < rounds(); round++) {
        long expected = round;
        List<CommitOutcome> outcomes =
            racers.race(i -> set(handles.get(i), "race", expected, "" + i));
        assertThat(outcomes).as("round %d", round).containsOnlyOnce(committed(round + 1));
        int winner = outcomes.indexOf(committed(round + 1));
        assertThat(value(open(), "race")).as("round %d", round).isEqualTo("" + winner);
      }
    }
  }

  @Test
  void noWriteIsLostOrDoneTwiceWhenSixteenWritersAppend() throws Exception {
    int each = Math.max(2, rounds() / 8);
    try (Racers racers = new Racers()) {
      List<List<String>> committed =
          racers.race(
              i -> {
                Register register = open();
                List<String> own = new ArrayList<>();
                while (own.size() < each) {
                  append(register).ifPresent(own::add);
                }
                return own;
              });
      Register.Versioned end = read(open(), "log").orElseThrow();
      String text = new String(end.value(), UTF_8);
      List<String> log = Arrays.asList(text.substring(1, text.length() - 1).split(","));
      assertThat(log).doesNotHaveDuplicates();
      assertThat((long) log.size()).isEqualTo(end.version());
      assertThat(new HashSet<>(log)).containsAll(committed.stream().flatMap(List::stream).toList());
      assertThat(log).hasSizeBetween(each * Racers.COUNT, each * Racers.COUNT + unseen());
    }
  }

  /** How many writes may have happened although their writer was told Conflict. */
  protected int unseen() {
    return 0;
  }

  private Optional<String> append(Register register) {
    Optional<Register.Versioned> now = read(register, "log");
    AttemptId attempt = ids.nextAttempt();
    String item = "\"" + attempt + "\"";
    String json =
        now.map(v -> new String(v.value(), UTF_8).replace("]", "," + item + "]"))
            .orElse("[" + item + "]");
    long expected = now.map(Register.Versioned::version).orElse(Register.ABSENT);
    CommitOutcome outcome = set(register, "log", expected, attempt, json);
    return outcome.equals(committed(expected + 1)) ? Optional.of(item) : Optional.empty();
  }
}
