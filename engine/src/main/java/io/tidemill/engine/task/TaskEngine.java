package io.tidemill.engine.task;

import io.tidemill.engine.Duck;
import io.tidemill.engine.KeyedState;
import io.tidemill.engine.decode.Decoding;
import io.tidemill.engine.operator.OperatorRun;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.protocol.source.SourceStats;
import io.tidemill.protocol.task.BatchContext;
import io.tidemill.protocol.task.OperatorStats;
import io.tidemill.query.plan.OwnNames;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.SourcePlan;
import io.tidemill.query.plan.Stage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

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
  private final Set<String> tables = new TreeSet<>();
  private final Map<Integer, List<String>> decoded = new HashMap<>();

  public TaskEngine(Duck duck, QueryPlan plan, BatchContext batch, KeyedState.Access state) {
    this.duck = duck;
    this.plan = plan;
    this.batch = batch;
    this.state = state;
  }

  private static final String OK = Decoding.ERROR + " IS NULL";

  private static String rowsTable(int source) {
    return "__rows_" + source;
  }

  private static String operatorTable(int stage) {
    return "__operator_" + stage;
  }

  /** Table of a source's rows with an event time that the query works out. */
  private static String timedTable(int source) {
    return "__timed_" + source;
  }

  /** Table of a stage's rows for its consumer or for the sink. */
  public static String outTable(int stage) {
    return "__out_" + stage;
  }

  /** Decodes a source's raw records, from a table or subquery, and counts. */
  public SourceStats decode(SourcePlan source, Decoding decoding, String records) {
    String rows = rowsTable(source.index());
    decoded.put(source.index(), decoding.columns());
    long read = create(rows, decoding.over(records));
    if (derived(source).isPresent()) {
      duck.execute("CREATE OR REPLACE TEMP VIEW " + OwnNames.INPUT + " AS " + decodedRows(source));
      create(timedTable(source.index()), derived(source).orElseThrow());
    }
    List<Object> times = eventTimes(source);
    boolean allCounted =
        source.eventTime().isPresent()
            && derived(source).isEmpty()
            && source.watermarkConditions().isEmpty();
    long malformed =
        allCounted
            ? read - ((Number) times.get(4)).longValue()
            : duck.number("SELECT count(" + Decoding.ERROR + ") FROM " + rows);
    return new SourceStats(
        source.index(),
        read,
        malformed,
        longOrNull(times.get(0)),
        longOrNull(times.get(1)),
        ((Number) times.get(2)).doubleValue(),
        ((Number) times.get(3)).longValue(),
        Map.of());
  }

  /** Greatest, least, sum and number of the event times of a source's rows, and their number. */
  private List<Object> eventTimes(SourcePlan source) {
    if (source.eventTime().isEmpty()) {
      return Arrays.asList(null, null, 0.0, 0L, 0L);
    }
    String time = SourcePlan.ROW + "." + Sql.name(source.eventTime().get().column());
    String where =
        source.watermarkConditions().isEmpty()
            ? ""
            : source.watermarkConditions().stream()
                .collect(Collectors.joining(") AND (", " WHERE (", ")"));
    // Over the table itself where that will do: most of the time goes into planning the rest.
    boolean plain = derived(source).isEmpty() && source.watermarkConditions().isEmpty();
    String rows =
        plain
            ? rowsTable(source.index()) + " AS " + SourcePlan.ROW + " WHERE " + OK
            : "(" + sourceRows(source) + ") AS " + SourcePlan.ROW + where;
    return duck.repeatedRow(
        "SELECT epoch_us(max("
            + time
            + ")), epoch_us(min("
            + time
            + ")), coalesce(sum(CAST(epoch_ms("
            + time
            + ") AS DOUBLE)), 0), count("
            + time
            + "), count(*) FROM "
            + rows);
  }

  private static Optional<String> derived(SourcePlan source) {
    return source.eventTime().flatMap(SourcePlan.EventTime::rows);
  }

  private String decodedRows(SourcePlan source) {
    return "SELECT "
        + String.join(", ", decoded.get(source.index()))
        + " FROM "
        + rowsTable(source.index())
        + " WHERE "
        + OK;
  }

  /** The rows that a source's stage reads. */
  private String sourceRows(SourcePlan source) {
    return derived(source).isPresent()
        ? "SELECT * FROM " + timedTable(source.index())
        : decodedRows(source);
  }

  private static Long longOrNull(Object value) {
    return value == null ? null : Long.valueOf(((Number) value).longValue());
  }

  /** Columns that a decoding fills for malformed records only. */
  public static final String WHERE = OwnNames.PREFIX + "where";

  public static final String KEY = OwnNames.PREFIX + "key";
  public static final String VALUE = OwnNames.PREFIX + "value";
  public static final String HEADERS = OwnNames.PREFIX + "headers";
  public static final String TIMESTAMP = OwnNames.PREFIX + "timestamp";

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
   * columns {@link #WHERE}, {@link #KEY}, {@link #VALUE}, {@link #HEADERS} and {@link #TIMESTAMP}
   * of the decoding.
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
            + " AS error, "
            + KEY
            + " AS \"key\", "
            + VALUE
            + " AS \"value\", "
            + HEADERS
            + " AS headers, "
            + TIMESTAMP
            + " AS \"timestamp\", make_timestamp("
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
   * @return rows for the sink, if the stage is the last one
   */
  public long run(Stage stage, List<String> inputs) {
    if (stage.readsSource()) {
      return hand(stage, sourceRows(plan.sources().get(stage.source().getAsInt())));
    }
    if (stage.operator().isEmpty()) {
      String inOrder = operatorTable(stage.id());
      create(inOrder, "SELECT * EXCLUDE (_bucket) FROM (" + OperatorRun.union(inputs, "*") + ")");
      return hand(stage, "SELECT * FROM " + inOrder);
    }
    long[] rows = new long[1];
    operators.add(
        operator(stage)
            .run(
                inputs,
                (relation, empty) -> {
                  // Without rows for the sink there is nothing to make; a consumer wants its table.
                  if (!empty || stage.consumer().isPresent()) {
                    rows[0] = hand(stage, relation);
                  }
                }));
    return rows[0];
  }

  private long hand(Stage stage, String relation) {
    // Named only here, so that one statement does it and DuckDB sees the whole.
    String rows =
        "WITH "
            + OwnNames.INPUT
            + " AS NOT MATERIALIZED ("
            + relation
            + ") SELECT * FROM ("
            + stage.segment()
            + ")";
    String out = outTable(stage.id());
    if (stage.consumer().isEmpty()) {
      return create(out, rows);
    }
    Stage consumer = plan.stages().get(stage.consumer().getAsInt());
    if (consumer.operator().isPresent()) {
      tables.add(out);
      operators.add(operator(consumer).prepare(rows, out));
      return 0;
    }
    return create(out, "SELECT " + state.bucket(List.of()) + " AS _bucket, * FROM (" + rows + ")");
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

  private long create(String table, String select) {
    tables.add(table);
    return duck.create(table, select);
  }

  /** Gives up the tables of the task. */
  public void close() {
    duck.release(tables);
  }
}
