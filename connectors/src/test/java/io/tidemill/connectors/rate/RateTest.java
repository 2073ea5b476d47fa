package io.tidemill.connectors.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.connectors.Options;
import io.tidemill.connectors.Source;
import io.tidemill.connectors.SourceConnector;
import io.tidemill.connectors.SourceReader;
import io.tidemill.connectors.testing.NotesInMemory;
import io.tidemill.connectors.testing.ScratchDatabase;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.source.SourcePosition;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RateTest {
  private static final long T0 = 1_700_000_000_000L;

  @TempDir Path temp;
  private final AtomicLong clock = new AtomicLong(T0);
  private final SourceConnector rate =
      new RateSourceConnector(() -> Instant.ofEpochMilli(clock.get()));
  private final SourceConnector microBatch = new RateMicroBatchSourceConnector();

  private static Options options(String... namesAndValues) {
    Map<String, String> options = new java.util.HashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      options.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return Options.of("stream r", options);
  }

  private static Source open(SourceConnector connector, Options options) {
    connector.validate(options, Schema.EMPTY);
    return connector.open(options, Schema.EMPTY, new NotesInMemory());
  }

  private List<String> rows(SourceConnector connector, Source.Range range, String sql) {
    try (ScratchDatabase db = new ScratchDatabase(temp);
        SourceReader reader = connector.reader(options(), Schema.EMPTY)) {
      db.create("t", GeneratedColumns.SCHEMA);
      reader.read(range.splits(), db.connection(), "t", Set.of("timestamp", "value"), temp);
      return db.rows(sql);
    }
  }

  @Test
  void rowsAreSpreadEvenlyOverTheSecondsThatPassed() {
    Source source = open(rate, options("rowsPerSecond", "4", "numPartitions", "3"));
    SourcePosition start = source.initial();
    clock.addAndGet(1_999);
    Source.Range range = source.plan(start, source.latest(start), true, 0);
    assertThat(range.splits()).hasSize(3);
    assertThat(range.rowsEstimate()).isEqualTo(4);
    assertThat(
            rows(rate, range, "SELECT value, epoch_ms(timestamp) - " + T0 + " FROM t ORDER BY 1"))
        .containsExactly("0|0", "1|250", "2|500", "3|750");
    clock.addAndGet(1_001);
    Source.Range next = source.plan(range.end(), source.latest(range.end()), true, 0);
    assertThat(rows(rate, next, "SELECT min(value), max(value), count(*) FROM t"))
        .containsExactly("4|11|8");
  }

  @Test
  void rowsAreTheSameWhereNumbersHaveOtherDigits() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG"));
    try {
      rowsAreSpreadEvenlyOverTheSecondsThatPassed();
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void aRestartGoesOnWithTheFirstStart() {
    Source source = open(rate, options());
    SourcePosition start = source.initial();
    clock.addAndGet(5_000);
    Source restarted = open(rate, options());
    Source.Range range = restarted.plan(start, restarted.latest(start), true, 0);
    assertThat(rows(rate, range, "SELECT count(*), min(epoch_ms(timestamp)) FROM t"))
        .containsExactly("5|" + T0);
  }

  @Test
  void aClockThatGoesBackMakesNoRows() {
    Source source = open(rate, options());
    clock.addAndGet(5_000);
    SourcePosition seen = source.latest(new RateSource.Position(0, T0).position());
    clock.addAndGet(-4_000);
    assertThat(source.latest(seen)).isEqualTo(seen);
    assertThat(source.plan(seen, source.latest(seen), true, 0).end()).isEqualTo(seen);
  }

  @Test
  void theSpeedRampsUpAsInSpark() {
    RateSpeed speed = new RateSpeed(10, 4);
    assertThat(List.of(0L, 1L, 2L, 3L, 4L, 5L, 6L))
        .extracting(speed::rowsAfter)
        .containsExactly(0L, 2L, 6L, 12L, 20L, 30L, 40L);
    assertThat(new RateSpeed(3, 0).rowsAfter(7)).isEqualTo(21);
  }

  @Test
  void secondsOfARampWithoutRowsStillCount() {
    Source source = open(rate, options("rowsPerSecond", "1", "rampUpTime", "10s"));
    SourcePosition start = source.initial();
    clock.addAndGet(3_000);
    Source.Range range = source.plan(start, source.latest(start), true, 0);
    assertThat(range.splits()).isEmpty();
    assertThat(range.end()).isEqualTo(new RateSource.Position(3, T0).position());
  }

  @Test
  void everyMicroBatchHasTheSameNumberOfRowsAndOneTime() {
    Source source =
        open(
            microBatch,
            options(
                "rowsPerBatch",
                "5",
                "numPartitions",
                "2",
                "startTimestamp",
                "1000",
                "advanceMillisPerBatch",
                "50"));
    SourcePosition at = source.initial();
    for (int batch = 0; batch < 3; batch++) {
      Source.Range range = source.plan(at, source.latest(at), true, 0);
      String sql =
          "SELECT min(value), max(value), count(*), list(DISTINCT epoch_ms(timestamp)) FROM t";
      assertThat(rows(microBatch, range, sql))
          .containsExactly(batch * 5 + "|" + (batch * 5 + 4) + "|5|[" + (1000 + 50 * batch) + "]");
      at = range.end();
    }
  }

  @Test
  void availableNowIsExactlyOneMicroBatch() {
    Source source = open(microBatch, options("rowsPerBatch", "5"));
    SourcePosition ceiling = source.latest(source.initial());
    Source.Range first = source.plan(source.initial(), ceiling, true, 0);
    assertThat(first.rowsEstimate()).isEqualTo(5);
    assertThat(source.plan(first.end(), ceiling, true, 0).end()).isEqualTo(first.end());
  }

  @Test
  void declaredColumnsMayOnlyRepeatTheGeneratedOnes() {
    rate.validate(options(), Schema.of("Timestamp", "TIMESTAMP", "value", "INT8"));
    assertThatThrownBy(() -> rate.validate(options(), Schema.of("valeu", "BIGINT")))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_NAME);
              assertThat(e.getMessage()).contains("'value'");
            });
  }

  @Test
  void optionsAreChecked() {
    assertThatThrownBy(() -> rate.validate(options("rowsPerSecond", "0"), Schema.EMPTY))
        .hasMessageContaining("at least 1");
    assertThatThrownBy(() -> microBatch.validate(options(), Schema.EMPTY))
        .hasMessageContaining("'rowsPerBatch'");
  }
}
