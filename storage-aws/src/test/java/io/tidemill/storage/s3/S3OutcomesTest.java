package io.tidemill.storage.s3;

import static io.tidemill.storage.Blob.PutOutcome.COMMITTED;
import static io.tidemill.storage.Blob.PutOutcome.CONFLICT;
import static io.tidemill.storage.Blob.PutOutcome.UNKNOWN;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.Blob;
import io.tidemill.storage.ListedBlob;
import io.tidemill.storage.aws.TestAws;
import io.tidemill.storage.aws.fault.FaultyHttp;
import io.tidemill.storage.fault.Fault;
import io.tidemill.storage.fault.FaultSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one call reports, in all four cells of happened and reported. */
@Tag("aws")
class S3OutcomesTest {
  @TempDir private Path directory;

  private final Deque<Fault> faults = new ArrayDeque<>();
  private final TestAws aws = new TestAws(http -> new FaultyHttp(http, FaultSource.inTurn(faults)));

  @AfterEach
  void close() {
    aws.close();
  }

  private Blob.PutOutcome put(String key, Fault... before) {
    faults.addAll(List.of(before));
    return aws.blob(directory).putIfAbsent(key, "content".getBytes(UTF_8));
  }

  private long calls(String operation) {
    return aws.clients().calls().of(operation);
  }

  @Test
  void aPutIsOneRequest() {
    assertThat(put("a")).isEqualTo(COMMITTED);
    assertThat(aws.clients().calls().counts().keySet()).containsExactly("s3:PutObject");
    assertThat(calls("s3:PutObject")).isEqualTo(1);
  }

  @Test
  void aRetryOnTheWayThatFindsItsOwnObjectIsCommitted() {
    assertThat(put("a", Fault.RETRIED)).isEqualTo(COMMITTED);
    assertThat(calls("s3:HeadObject")).isEqualTo(1);
    assertThat(put("a")).isEqualTo(CONFLICT);
    assertThat(put("a", Fault.RETRIED)).isEqualTo(CONFLICT);
  }

  @Test
  void aLostReplyAndALostRequestAreUnknownAndNotSentAgain() {
    assertThat(put("a", Fault.LOST_REPLY)).isEqualTo(UNKNOWN);
    assertThat(put("b", Fault.LOST_REQUEST)).isEqualTo(UNKNOWN);
    assertThat(calls("s3:PutObject")).isEqualTo(2);
    assertThat(aws.blob(directory).list("", "", 10)).containsExactly("a");
  }

  @Test
  void throttledPutsAreSentAgainAndCounted() {
    assertThat(put("a", Fault.REFUSED, Fault.REFUSED, Fault.REFUSED)).isEqualTo(COMMITTED);
    assertThat(aws.clients().calls().throttled()).isEqualTo(3);
    assertThat(calls("s3:PutObject")).isEqualTo(4);
  }

  @Test
  void endlessThrottlingIsAnErrorAndNothingIsWritten() {
    for (int i = 0; i < 8; i++) {
      faults.add(Fault.REFUSED);
    }
    assertThatThrownBy(() -> put("a"))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
              assertThat(e.fields()).containsEntry("reason", "SlowDown");
            });
    assertThat(aws.blob(directory).get("a")).isEmpty();
  }

  @Test
  void readsAreSentAgainWhateverHappened() {
    put("a");
    faults.addAll(List.of(Fault.LOST_REPLY, Fault.LOST_REQUEST, Fault.REFUSED));
    assertThat(aws.blob(directory).get("a")).isPresent();
    assertThat(calls("s3:GetObject")).isEqualTo(4);
  }

  @Test
  void aMissingBucketIsNamed() {
    aws.clients().s3().deleteBucket(r -> r.bucket(aws.bucket()));
    // A server that refuses may hang up before it has read the object; then nothing is known yet.
    assertThatThrownBy(
            () -> {
              for (int tries = 0; put("a") == UNKNOWN; tries++) {
                assertThat(tries).isLessThan(20);
              }
            })
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.NOT_WRITABLE);
              assertThat(e.getMessage()).contains("s3://" + aws.bucket());
            });
  }

  @Test
  void aLocalCopyIsFetchedOnceAndAllOfThemGoAtTheEnd() throws IOException {
    put("a");
    S3Blob blob = aws.blob(directory);
    Path copy = blob.localFile("a").orElseThrow();
    assertThat(copy).hasContent("content");
    assertThat(blob.localFile("a")).contains(copy);
    assertThat(calls("s3:GetObject")).isEqualTo(1);
    blob.close();
    assertThat(copy).doesNotExist();
  }

  @Test
  void objectsOfOthersAreListedWithSizeAndTimeAndRead() throws IOException {
    String odd = "some/prefix/.tmp/x y+ä";
    aws.clients()
        .s3()
        .putObject(
            r -> r.bucket(aws.bucket()).key(odd),
            software.amazon.awssdk.core.sync.RequestBody.fromString("theirs"));
    S3Blob blob = aws.blob(directory);
    ListedBlob.Listed listed = blob.listed(".", "", 10).get(0);
    assertThat(listed.key()).isEqualTo(".tmp/x y+ä");
    assertThat(listed.bytes()).isEqualTo(6);
    assertThat(listed.modifiedMillis()).isPositive();
    try (InputStream content = blob.open(listed.key()).orElseThrow()) {
      assertThat(content).hasContent("theirs");
    }
    Path target = directory.resolve("fetched");
    assertThat(blob.fetch(listed.key(), target)).isTrue();
    assertThat(Files.readString(target)).isEqualTo("theirs");
    assertThat(blob.open("missing")).isEmpty();
    assertThat(blob.fetch("missing", directory.resolve("other"))).isFalse();
  }
}
