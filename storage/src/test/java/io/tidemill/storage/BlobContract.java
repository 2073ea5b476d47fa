package io.tidemill.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every form of {@link Blob} must do, seen through {@link Settled} and with patience, so that
 * it also holds for storage that fails. {@link ExactBlobContract} adds what holds without faults,
 * {@link FolderBlobContract} what holds where keys have folders.
 */
public abstract class BlobContract {
  @TempDir protected Path directory;

  /** Another handle, as of another process, on the store of this test. */
  protected abstract Blob open();

  /** Rounds of the race. */
  protected int rounds() {
    return 40;
  }

  protected static boolean create(Blob blob, String key, String content) {
    return Patiently.call(() -> Settled.putIfAbsent(blob, key, content.getBytes(UTF_8)));
  }

  protected static Optional<String> content(Blob blob, String key) {
    return Patiently.call(() -> blob.get(key)).map(bytes -> new String(bytes, UTF_8));
  }

  protected Path file(String content) throws IOException {
    return Files.writeString(Files.createTempFile(directory, "given", ""), content);
  }

  private static boolean createFromFile(Blob blob, String key, Path file) {
    long checksum = read(() -> Checksum.of(file));
    return Patiently.call(() -> Settled.putFileIfAbsent(blob, key, file, checksum));
  }

  private interface Reading<T> {
    T read() throws IOException;
  }

  private static <T> T read(Reading<T> reading) {
    try {
      return reading.read();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void readsBackWhatWasWritten() throws IOException {
    Blob blob = open();
    assertThat(create(blob, "state/3/a", "content")).isTrue();

    Blob other = open();
    assertThat(content(other, "state/3/a")).contains("content");
    assertThat(Patiently.call(() -> other.size("state/3/a"))).contains(7L);
    Path local = Patiently.call(() -> other.localFile("state/3/a")).orElseThrow();
    assertThat(Files.readString(local)).isEqualTo("content");
  }

  @Test
  void keepsEmptyAndLargeObjects() {
    Blob blob = open();
    byte[] large = new byte[3_000_000];
    for (int i = 0; i < large.length; i++) {
      large[i] = (byte) (i * 31);
    }
    assertThat(create(blob, "empty", "")).isTrue();
    assertThat(Patiently.call(() -> Settled.putIfAbsent(blob, "large", large))).isTrue();
    assertThat(content(blob, "empty")).contains("");
    assertThat(Patiently.call(() -> blob.get("large"))).contains(large);
  }

  @Test
  void missingObjectIsEmpty() {
    Blob blob = open();
    create(blob, "folder/there", "x");
    for (String key : List.of("missing", "folder/missing", "folder")) {
      assertThat(content(blob, key)).isEmpty();
      assertThat(Patiently.call(() -> blob.size(key))).isEmpty();
      assertThat(Patiently.call(() -> blob.localFile(key))).isEmpty();
    }
  }

  @Test
  void firstCreatorWinsAndTheObjectNeverChanges() throws IOException {
    Blob blob = open();
    assertThat(create(blob, "a", "first")).isTrue();
    assertThat(create(open(), "a", "second")).isFalse();
    assertThat(createFromFile(blob, "a", file("third"))).isFalse();
    assertThat(content(blob, "a")).contains("first");
  }

  @Test
  void repeatedCreationByTheSameAttemptSucceeds() {
    Blob blob = open();
    assertThat(create(blob, "a", "attempt-1")).isTrue();
    assertThat(create(blob, "a", "attempt-1")).isTrue();
  }

  @Test
  void changesToTheGivenBytesDoNotReachTheObject() {
    Blob blob = open();
    byte[] bytes = "before".getBytes(UTF_8);
    Patiently.call(() -> Settled.putIfAbsent(blob, "a", bytes));
    bytes[0] = 'x';
    Patiently.call(() -> blob.get("a")).orElseThrow()[1] = 'x';
    assertThat(content(blob, "a")).contains("before");
  }

  @Test
  void oneOfSixteenRacingWritersWins() throws Exception {
    try (Racers racers = new Racers()) {
      List<Blob> handles = new ArrayList<>();
      for (int i = 0; i < Racers.COUNT; i++) {
        handles.add(open());
      }
      for (int round = 0; round < rounds(); round++) {
        String key = "race/" + round + "/winner";
        List<Boolean> won = racers.race(i -> create(handles.get(i), key, "writer-" + i));
        assertThat(won).as("round %d", round).containsOnlyOnce(true);
        assertThat(content(open(), key)).contains("writer-" + won.indexOf(true));
      }
    }
  }

  @Test
  void oneOfSixteenRacingFilesWins() throws Exception {
    try (Racers racers = new Racers()) {
      for (int round = 0; round < rounds() / 4; round++) {
        String key = "race/" + round;
        List<Boolean> won =
            racers.race(i -> createFromFile(open(), key, read(() -> file("writer-" + i))));
        assertThat(won).as("round %d", round).containsOnlyOnce(true);
        assertThat(content(open(), key)).contains("writer-" + won.indexOf(true));
      }
    }
  }

  @Test
  void copyIsASecondNameThatOutlivesTheFirst() {
    Blob blob = open();
    create(blob, "from", "content");
    create(blob, "taken", "other");
    Patiently.call(() -> blob.copyIfAbsent("from", "to/name"));
    while (content(blob, "to/name").isEmpty()) {
      Patiently.call(() -> blob.copyIfAbsent("from", "to/name"));
    }
    Patiently.call(() -> blob.copyIfAbsent("from", "taken"));
    Patiently.run(() -> blob.delete("from"));
    assertThat(content(blob, "to/name")).contains("content");
    assertThat(content(blob, "taken")).contains("other");
  }

  @Test
  void deletedObjectIsGoneAndItsKeyFree() {
    Blob blob = open();
    create(blob, "folder/a", "first");
    create(blob, "folder/b", "other");
    Patiently.run(() -> blob.delete("folder/a"));
    Patiently.run(() -> blob.delete("folder/never-there"));
    assertThat(content(blob, "folder/a")).isEmpty();
    assertThat(Patiently.call(() -> blob.localFile("folder/a"))).isEmpty();
    assertThat(Patiently.call(() -> blob.list("", "", 10))).containsExactly("folder/b");

    assertThat(create(blob, "folder/a", "second")).isTrue();
    Path local = Patiently.call(() -> blob.localFile("folder/a")).orElseThrow();
    assertThat(read(() -> Files.readString(local))).isEqualTo("second");
  }

  @Test
  void creatorsAndDeletersOfOneFolderDoNotDisturbEachOther() throws Exception {
    Blob blob = open();
    try (Racers racers = new Racers()) {
      for (int round = 0; round < rounds(); round++) {
        List<Boolean> created =
            racers.race(
                i -> {
                  String key = "deep/folder/of-" + i;
                  boolean won = create(blob, key, "x");
                  if (i % 2 == 0) {
                    Patiently.run(() -> blob.delete(key));
                  }
                  return won;
                });
        assertThat(created).as("round %d", round).doesNotContain(false);
        for (int i = 1; i < Racers.COUNT; i += 2) {
          String key = "deep/folder/of-" + i;
          assertThat(content(blob, key)).contains("x");
          Patiently.run(() -> blob.delete(key));
        }
      }
    }
  }

  @Test
  void listsKeysInOrderFromAnywhere() {
    Seeds.each(
        5,
        random -> {
          Blob blob = open();
          TreeSet<String> keys = new TreeSet<>(Keys.ORDER);
          String root = "list" + random.nextInt(1_000_000) + "/";
          for (int i = 0; i < keys(); i++) {
            String key = root + randomKey(random);
            if (keys.stream().noneMatch(k -> k.startsWith(key + "/") || key.startsWith(k + "/"))) {
              keys.add(key);
            }
          }
          List<String> shuffled = new ArrayList<>(keys);
          Collections.shuffle(shuffled, new Random(random.nextLong()));
          shuffled.forEach(key -> create(blob, key, "x"));
          for (int i = 0; i < 5 * keys(); i++) {
            String prefix = root + cut(random, randomKey(random));
            String after = random.nextInt(3) == 0 ? "" : root + cut(random, randomKey(random));
            int limit = 1 + random.nextInt(70);
            List<String> expected =
                keys.stream()
                    .filter(k -> k.startsWith(prefix) && Keys.ORDER.compare(k, after) > 0)
                    .limit(limit)
                    .toList();
            assertThat(Patiently.call(() -> blob.list(prefix, after, limit)))
                .as("prefix %s after %s limit %d", prefix, after, limit)
                .isEqualTo(expected);
          }
        });
  }

  /** Keys of a listing. */
  protected int keys() {
    return 60;
  }

  /** Names in keys: with signs around the slash in the order of bytes, and some beyond ASCII. */
  protected List<String> names() {
    return List.of("a", "a-", "a.b", "a0", "b", "b=ä", "b=\uE000", "b=\uD83C\uDF0A", "Z");
  }

  private String randomKey(RandomGenerator random) {
    List<String> names = names();
    StringBuilder key = new StringBuilder(names.get(random.nextInt(names.size())));
    for (int depth = random.nextInt(4); depth > 0; depth--) {
      key.append('/').append(names.get(random.nextInt(names.size())));
    }
    return key.toString();
  }

  private static String cut(RandomGenerator random, String key) {
    int end = random.nextInt(key.length() + 1);
    return key.substring(
        0, end > 0 && Character.isHighSurrogate(key.charAt(end - 1)) ? end - 1 : end);
  }
}
