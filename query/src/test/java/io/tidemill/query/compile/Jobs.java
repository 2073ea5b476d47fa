package io.tidemill.query.compile;

import io.tidemill.protocol.schema.Schema;
import io.tidemill.query.job.JobParser;
import io.tidemill.query.job.JobText;
import io.tidemill.query.job.Variables;
import io.tidemill.query.plan.ConnectorSpec;
import io.tidemill.query.plan.QueryPlan;
import java.util.List;

/** Compiles job texts against streams that have the columns they declare. */
final class Jobs {
  private Jobs() {}

  static List<QueryPlan> plans(String job) {
    return JobCompiler.compile(
        JobParser.parse(new JobText("job.sql", job), Variables.none()), new Declared());
  }

  static QueryPlan plan(String job) {
    return plans(job).get(0);
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
