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

  private static String rowsTable(int source) {
    return "__rows_" + source;
  }

  /** Table of a stage's rows for its consumer or for the sink. */
  public static String outTable(int stage) {
    return "__out_" + stage;
  }

  /** Decodes a source's raw records, from a table or subquery, and counts. */
  public SourceStats decode(SourcePlan source, Decoding decoding, String records) {
    String rows = rowsTable(source.index());
    duck.execute("CREATE OR REPLACE TABLE " + rows + " AS " + decoding.over(records));
    List<Object> counts =
        duck.row(
            "SELECT count(*), count("
                + Decoding.ERROR
                + "), epoch_us(max(t)), epoch_us(min(t)),"
                + " coalesce(sum(CAST(epoch_ms(t) AS DOUBLE)), 0), count(t) FROM (SELECT "
                + Decoding.ERROR
                + ", "
                + observedTime(source)
                + " AS t FROM "
                + rows
                + " AS "
                + SourcePlan.ROW
                + ")");
    return new SourceStats(
        source.index(),
        ((Number) counts.get(0)).longValue(),
        ((Number) counts.get(1)).longValue(),
        longOrNull(counts.get(2)),
        longOrNull(counts.get(3)),
        ((Number) counts.get(4)).doubleValue(),
        ((Number) counts.get(5)).longValue(),
        Map.of());
  }

  /** The event time of rows that move the watermark, null for others. */
  private static String observedTime(SourcePlan source) {
    if (source.eventTime().isEmpty()) {
      return "CAST(NULL AS TIMESTAMP)";
    }
    StringBuilder good = new StringBuilder(Decoding.ERROR + " IS NULL");
    source.watermarkConditions().forEach(c -> good.append(" AND (").append(c).append(")"));
    return "CASE WHEN "
        + good
        + " THEN "
        + SourcePlan.ROW
        + "."
        + Sql.name(source.eventTime().get().column())
        + " END";
  }

  private static Long longOrNull(Object value) {
    return value == null ? null : Long.valueOf(((Number) value).longValue());
  }

  /** Columns that a decoding fills for malformed records only. */
  public static final String WHERE = "__where";

  /** Where the first malformed record of a source is, and what is wrong with it. */
  public TidemillException malformed(SourcePlan source) {
    List<Object> first =
        duck.row(
            "SELECT "
                + WHERE
                + ", "
                + Decoding.ERROR
                + " FROM "
                + rowsTable(source.index())
                + " WHERE "
                + Decoding.ERROR
                + " IS NOT NULL LIMIT 1");
    return new TidemillException(
            ErrorCode.MALFORMED_RECORD,
            "A record is malformed. Mend the producer, or set malformed = 'drop' or 'dead-letter' on"
                + " the stream.")
        .with("stream", source.stream())
        .with("record", first.get(0))
        .with("error", first.get(1));
  }

  /**
   * Makes a table of a source's malformed records with the columns of a dead-letter sink, from the
   * columns {@code __where}, {@code __key}, {@code __value}, {@code __headers} and {@code
   * __timestamp} of the decoding.
   */
  public void deadLetters(SourcePlan source, String table) {
    duck.execute(
        "CREATE OR REPLACE TABLE "
            + table
            + " AS SELECT "
            + Sql.text(source.stream())
            + " AS stream, "
            + WHERE
            + " AS position, "
            + Decoding.ERROR
            + " AS error, __key AS \"key\", __value AS \"value\", __headers AS headers,"
            + " __timestamp AS \"timestamp\", make_timestamp("
            + batch.timestampMillis() * 1000
            + ") AS batch_time FROM "
            + rowsTable(source.index())
            + " WHERE "
            + Decoding.ERROR
            + " IS NOT NULL");
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
          "SELECT COLUMNS(lambda c: NOT starts_with(c, '__')) FROM "
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
      duck.drop(rowsTable(source.index()));
    }
  }
}
