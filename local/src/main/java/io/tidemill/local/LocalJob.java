package io.tidemill.local;

import io.tidemill.connectors.Connectors;
import io.tidemill.connectors.Options;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.compile.ConnectorSchemas;
import io.tidemill.query.compile.JobCompiler;
import io.tidemill.query.job.JobFile;
import io.tidemill.query.job.JobParser;
import io.tidemill.query.job.JobText;
import io.tidemill.query.job.Variables;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.SinkPlan;
import java.util.List;

/** Compiles jobs against the connectors of this process. */
public final class LocalJob {
  private LocalJob() {}

  /** The plans of a job file; every mistake in it is an error that says where. */
  public static List<QueryPlan> compile(JobText text, Variables variables, Connectors connectors) {
    return compile(JobParser.parse(text, variables), connectors);
  }

  /** The plans of a job, with its sinks' options and modes checked too. */
  public static List<QueryPlan> compile(JobFile job, Connectors connectors) {
    return compile(job, schemas(connectors), connectors);
  }

  /** As above, for streams and tables whose columns are known already. */
  public static List<QueryPlan> compile(
      JobFile job, ConnectorSchemas schemas, Connectors connectors) {
    try {
      List<QueryPlan> plans = JobCompiler.compile(job, schemas);
      plans.forEach(plan -> plan.sinks().forEach(sink -> SinkChecks.check(sink, connectors)));
      return plans;
    } catch (TidemillException e) {
      throw job.text().shown(e);
    }
  }

  /** The columns of streams and tables, as their connectors tell them. */
  public static ConnectorSchemas schemas(Connectors connectors) {
    return new PlanSchemas(connectors);
  }

  /** Connector options of a sink. */
  static Options options(SinkPlan sink) {
    return PlanSchemas.options(sink.connector());
  }
}
