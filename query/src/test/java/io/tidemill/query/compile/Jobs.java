package io.tidemill.query.compile;

import io.tidemill.protocol.schema.Schema;
import io.tidemill.query.job.JobParser;
import io.tidemill.query.job.JobText;
import io.tidemill.query.job.Variables;
import io.tidemill.query.plan.ConnectorSpec;
import io.tidemill.query.plan.QueryPlan;
import java.util.List;

/** Compiles single queries over a fixed set of streams and tables. */
public final class Jobs {
  private static final String DEFINITIONS =
      "CREATE STREAM events (ts TIMESTAMP, k VARCHAR, v BIGINT, g VARCHAR, xs BIGINT[],"
          + " e STRUCT(items BIGINT[], o VARCHAR), s VARCHAR,"
          + " WATERMARK FOR ts AS ts - INTERVAL 10 SECONDS) WITH (connector = 'fake');"
          + "CREATE STREAM other (ts TIMESTAMP, k VARCHAR, v BIGINT, g VARCHAR,"
          + " WATERMARK FOR ts AS ts - INTERVAL 10 SECONDS) WITH (connector = 'fake');"
          + "CREATE STREAM untimed (k VARCHAR, v BIGINT) WITH (connector = 'fake');"
          + "CREATE TABLE dim (k VARCHAR, name VARCHAR, rate BIGINT, v BIGINT) WITH (connector = 'fake');"
          + "CREATE TABLE cat (rate BIGINT, label VARCHAR) WITH (connector = 'fake');"
          + "CREATE VIEW positive AS SELECT ts AS time, k AS key, v AS amount FROM events WHERE v > 0;";

  private Jobs() {}

  static List<QueryPlan> plans(String job) {
    return JobCompiler.compile(
        JobParser.parse(new JobText("job.sql", job), Variables.none()), new Declared());
  }

  /** The first query of a job. */
  public static QueryPlan plan(String job) {
    return plans(job).get(0);
  }

  static QueryPlan plan(String mode, String query) {
    String job =
        DEFINITIONS
            + "CREATE SINK out WITH (connector = 'fake', mode = '"
            + mode
            + "'); INSERT INTO out "
            + query
            + ";";
    return plan(job);
  }

  /** Columns as declared, without any connector. */
  static final class Declared implements ConnectorSchemas {
    @Override
    public StreamColumns stream(ConnectorSpec connector, Schema declared) {
      return new StreamColumns(declared, Schema.of("_offset", "BIGINT"));
    }

    @Override
    public Schema table(ConnectorSpec connector, Schema declared) {
      return declared;
    }
  }
}
