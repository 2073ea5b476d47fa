package io.tidemill.engine;

import io.tidemill.engine.decode.Decoding;
import io.tidemill.engine.operator.OperatorRun;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.protocol.source.SourceStats;
import io.tidemill.protocol.task.BatchContext;
import io.tidemill.protocol.task.OperatorStats;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.SourcePlan;
import io.tidemill.query.plan.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs the stages of one task over tables that are already there: a function of its inputs, the
 * batch's context and the state's version. Names of its tables start with two underscores.
 */
public final class TaskEngine {
  private final Duck duck;
  private final QueryPlan plan;
  private final BatchContext batch;
  private final KeyedState.Access state;
  private final List<OperatorStats> operators = new ArrayList<>();

  /**
   * {@code part} is the number of the task within its stage, to give each its own random numbers.
   */
  public TaskEngine(
      Duck duck, QueryPlan plan, BatchContext batch, int part, KeyedState.Access state) {
    this.duck = duck;
    this.plan = plan;
    this.batch = batch;
    this.state = state;
    duck.execute(
        "SET VARIABLE tidemill_batch_time = make_timestamptz("
            + batch.timestampMillis() * 1000
            + ")");
    long mixed = (batch.seed() ^ (part * 0x9E3779B97F4A7C15L)) % 1_000_000L;
    duck.execute("SELECT setseed(" + mixed / 1_000_000.0 + ")");
  }

  /** Table of a source's raw records. */
  public static String rawTable(int source) {
    return "__raw_" + source;
  }

  private static String rowsTable(int source) {
    return "__rows_" + source;
  }

  /** Table of a stage's rows for its consumer or for the sink. */
  public static String outTable(int stage) {
    return "__out_" + stage;
  }

  /** What decoding found. */
  public record Decoded(SourceStats stats, long malformed) {}

  /** Decodes a source's raw table and counts. */
  public Decoded decode(SourcePlan source, Decoding decoding, Map<String, Long> readerMetrics) {
    String rows = rowsTable(source.index());
    duck.execute("CREATE OR REPLACE TABLE " + rows + " AS " + decoding.select());
    String time =
        source.eventTime().map(e -> Sql.name(e.column())).orElse("CAST(NULL AS TIMESTAMP)");
    String good = Decoding.ERROR + " IS NULL";
    List<Object> counts =
        duck.row(
            "SELECT count(*), count("
                + Decoding.ERROR
                + "), epoch_us(max("
                + time
                + ") FILTER (WHERE "
                + good
                + ")), epoch_us(min("
                + time
                + ") FILTER (WHERE "
                + good
                + ")), coalesce(sum(CAST(epoch_ms("
                + time
                + ") AS DOUBLE)) FILTER (WHERE "
                + good
                + "), 0), count("
                + time
                + ") FILTER (WHERE "
                + good
                + ") FROM "
                + rows);
    long malformed = ((Number) counts.get(1)).longValue();
    SourceStats stats =
        new SourceStats(
            source.index(),
            ((Number) counts.get(0)).longValue(),
            malformed,
            longOrNull(counts.get(2)),
            longOrNull(counts.get(3)),
            ((Number) counts.get(4)).doubleValue(),
            ((Number) counts.get(5)).longValue(),
            readerMetrics);
    return new Decoded(stats, malformed);
  }

  private static Long longOrNull(Object value) {
    return value == null ? null : Long.valueOf(((Number) value).longValue());
  }

  /** Where the first malformed record of a source is, and what is wrong with it. */
  public TidemillException malformed(SourcePlan source, String where) {
    List<Object> first =
        duck.row(
            "SELECT "
                + where
                + ", d."
                + Decoding.ERROR
                + " FROM "
                + rawTable(source.index())
                + " AS r JOIN "
                + rowsTable(source.index())
                + " AS d ON r.rowid = d.rowid WHERE d."
                + Decoding.ERROR
                + " IS NOT NULL ORDER BY r.rowid LIMIT 1");
    return new TidemillException(
            ErrorCode.MALFORMED_RECORD,
            "A record is malformed. Mend the producer, or set malformed = 'drop' or 'dead-letter' on"
                + " the stream.")
        .with("stream", source.stream())
        .with("record", first.get(0))
        .with("error", first.get(1));
  }

  /**
   * Makes a table of a source's malformed records with the columns of a dead-letter sink.
   *
   * @param raw expressions over the raw table for position, key, value, headers and timestamp
   */
  public void deadLetters(SourcePlan source, Map<String, String> raw, String table) {
    duck.execute(
        "CREATE OR REPLACE TABLE "
            + table
            + " AS SELECT "
            + Sql.text(source.stream())
            + " AS stream, "
            + raw.get("position")
            + " AS position, d."
            + Decoding.ERROR
            + " AS error, "
            + raw.get("key")
            + " AS \"key\", "
            + raw.get("value")
            + " AS \"value\", "
            + raw.get("headers")
            + " AS headers, "
            + raw.get("timestamp")
            + " AS \"timestamp\", make_timestamp("
            + batch.timestampMillis() * 1000
            + ") AS batch_time FROM "
            + rawTable(source.index())
            + " AS r JOIN "
            + rowsTable(source.index())
            + " AS d ON r.rowid = d.rowid WHERE d."
            + Decoding.ERROR
            + " IS NOT NULL ORDER BY r.rowid");
  }

  /**
   * Runs one stage.
   *
   * @param inputs tables prepared by the stages before, for a stage behind a shuffle
   */
  public void run(Stage stage, List<String> inputs) {
    String relation;
    if (stage.readsSource()) {
      relation =
          "SELECT * EXCLUDE ("
              + Decoding.ERROR
              + ") FROM "
              + rowsTable(stage.source().getAsInt())
              + " WHERE "
              + Decoding.ERROR
              + " IS NULL";
    } else {
      String output = "__operator_" + stage.id();
      if (stage.operator().isPresent()) {
        operators.add(operator(stage).run(inputs, output));
      } else {
        duck.execute(
            "CREATE OR REPLACE TABLE "
                + output
                + " AS SELECT * EXCLUDE (_bucket) FROM ("
                + OperatorRun.union(inputs, "*")
                + ")");
      }
      relation = "SELECT * FROM " + output;
    }
    duck.execute("CREATE OR REPLACE TEMP VIEW input AS " + relation);
    hand(stage);
  }

  private void hand(Stage stage) {
    String out = outTable(stage.id());
    Optional<Stage> consumer =
        stage.consumer().isPresent()
            ? Optional.of(plan.stages().get(stage.consumer().getAsInt()))
            : Optional.empty();
    if (consumer.isPresent() && consumer.get().operator().isPresent()) {
      operators.add(operator(consumer.get()).prepare(stage.segment(), out));
    } else {
      String bucket = consumer.isPresent() ? state.bucket(List.of()) + " AS _bucket, " : "";
      duck.execute(
          "CREATE OR REPLACE TABLE "
              + out
              + " AS SELECT "
              + bucket
              + "* FROM ("
              + stage.segment()
              + ")");
    }
  }

  private OperatorRun operator(Stage stage) {
    return OperatorRun.of(duck, stage, stage.operator().orElseThrow(), batch, state);
  }

  /** Statistics of the operators touched, merged by operator. */
  public List<OperatorStats> operatorStats() {
    Map<Integer, OperatorStats> merged = new java.util.TreeMap<>();
    operators.forEach(o -> merged.merge(o.operator(), o, OperatorStats::plus));
    return List.copyOf(merged.values());
  }

  /** Drops the tables of the task. */
  public void close() {
    duck.execute("DROP VIEW IF EXISTS input");
    for (Stage stage : plan.stages()) {
      duck.drop(outTable(stage.id()));
      duck.drop("__operator_" + stage.id());
    }
    for (SourcePlan source : plan.sources()) {
      duck.drop(rawTable(source.index()));
      duck.drop(rowsTable(source.index()));
    }
  }
}
