package io.tidemill.engine.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.engine.Duck;
import io.tidemill.engine.KeyedState;
import io.tidemill.engine.decode.Decoding;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Epoch;
import io.tidemill.protocol.QueryId;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.task.BatchContext;
import io.tidemill.protocol.task.TaskId;
import io.tidemill.query.compile.ConnectorSchemas;
import io.tidemill.query.compile.JobCompiler;
import io.tidemill.query.job.JobParser;
import io.tidemill.query.job.JobText;
import io.tidemill.query.job.Variables;
import io.tidemill.query.plan.ConnectorSpec;
import io.tidemill.query.plan.QueryPlan;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class TaskEngineTest {
  private static final int ROWS = 1000;
  private static final TaskId TASK = new TaskId(Timeline.FIRST, BatchId.FIRST, 0, 0);
  private static final QueryId QUERY = new QueryId("00000000-0000-0000-0000-000000000001");

  private static QueryPlan plan(String columns, String select) {
    String job =
        "CREATE STREAM s ("
            + columns
            + ") WITH (connector = 'fake'); CREATE SINK o WITH (connector = 'fake'); INSERT INTO o "
            + select
            + ";";
    return JobCompiler.compile(
            JobParser.parse(new JobText("job.sql", job), Variables.none()), new Declared())
        .get(0);
  }

  /** Columns as declared, without any connector. */
  private static final class Declared implements ConnectorSchemas {
    @Override
    public StreamColumns stream(ConnectorSpec connector, Schema declared) {
      return new StreamColumns(declared, Schema.EMPTY);
    }

    @Override
    public Schema table(ConnectorSpec connector, Schema declared) {
      return declared;
    }
  }

  /** State of a query that keeps none. */
  private static final class NoState implements KeyedState.Access {
    @Override
    public KeyedState open(
        int stage, Schema columns, List<String> keys, Optional<String> evictColumn) {
      throw new UnsupportedOperationException("no operator keeps state here");
    }

    @Override
    public String bucket(List<String> keys) {
      throw new UnsupportedOperationException("no rows are shuffled here");
    }
  }

  /** The rows a task makes of raw records, in a database of its own. */
  private static List<List<Object>> run(QueryPlan plan, TaskId task, String records) {
    BatchContext batch =
        new BatchContext(
            QUERY,
            Timeline.FIRST,
            Epoch.FIRST,
            BatchId.FIRST,
            1_700_000_000_000L,
            42,
            Watermark.NONE,
            Watermark.NONE);
    try (Duck duck = new Duck(List.of(), 0)) {
      new TaskValues(duck, plan).set(batch, task);
      TaskEngine engine = new TaskEngine(duck, plan, batch, new NoState());
      Schema declared = plan.sources().get(0).declared();
      Decoding decoding =
          Decoding.plan(
              declared,
              declared,
              Optional.empty(),
              new TreeSet<>(declared.names()),
              Map.of(TaskEngine.WHERE, "'here'"));
      engine.decode(plan.sources().get(0), decoding, "(" + records + ")");
      engine.run(plan.stages().get(0), List.of());
      return duck.rows("SELECT * FROM " + TaskEngine.outTable(0), Integer.MAX_VALUE);
    }
  }

  @Test
  void replayGivesTheSameClockChanceAndIds() {
    QueryPlan plan =
        plan(
            "a BIGINT",
            "SELECT a, now() AS n, ago(INTERVAL 1 DAY) AS y, random() AS r, uuid() AS u, uuidv7()"
                + " AS t FROM s WHERE random() < 0.9");
    String records = "SELECT * FROM range(" + ROWS + ") AS r(a)";
    List<List<Object>> first = run(plan, TASK, records);
    assertThat(first).hasSizeBetween(ROWS / 2, ROWS - 1);
    assertThat(first.get(0).get(1)).asString().startsWith("2023-11-14");
    assertThat(run(plan, TASK, records)).isEqualTo(first);
  }

  @Test
  void idsAreOfTheirVersionAndDifferBetweenRowsAndTasks() {
    QueryPlan plan =
        plan(
            "a BIGINT",
            "SELECT *, uuid_extract_version(u), uuid_extract_version(t),"
                + " epoch_ms(uuid_extract_timestamp(t)) FROM (SELECT uuid() AS u, uuidv7() AS t FROM s)");
    Set<Object> ids = new HashSet<>();
    int tasks = 0;
    for (int batch = 0; batch < 3; batch++) {
      for (int stage = -1; stage < 2; stage++) {
        TaskId task = new TaskId(Timeline.FIRST, new BatchId(batch), stage, 0);
        for (List<Object> row : run(plan, task, "SELECT * FROM range(" + ROWS + ") AS r(a)")) {
          ids.add(row.get(0));
          ids.add(row.get(1));
          assertThat(row.subList(2, 5)).asString().isEqualTo("[4, 7, 1700000000000]");
        }
        tasks++;
      }
    }
    assertThat(ids).hasSize(tasks * ROWS * 2);
  }

  @Test
  void columnsMayBeNamedLikeThoseOfTheEngine() {
    QueryPlan plan =
        plan(
            "__error INT, __x INT, __json INT, __where INT, _bucket INT, input INT",
            "SELECT * FROM s");
    assertThat(
            run(
                plan,
                TASK,
                "SELECT 1 AS __error, 2 AS __x, 3 AS __json, 4 AS __where, 5 AS _bucket, 6 AS"
                    + " input"))
        .asString()
        .isEqualTo("[[1, 2, 3, 4, 5, 6]]");
  }
}
