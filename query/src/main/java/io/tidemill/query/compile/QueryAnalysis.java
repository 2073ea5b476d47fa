package io.tidemill.query.compile;

import io.tidemill.protocol.schema.Schema;
import io.tidemill.query.job.JobFile;
import io.tidemill.query.job.QueryText;
import io.tidemill.query.sql.DuckSql;

/**
 * Works out the columns of queries without making plans of them, for programs that build a query
 * step by step. Keeps its type checker; thread-safe.
 */
public final class QueryAnalysis implements AutoCloseable {
  private final DuckSql sql = new DuckSql();

  /**
   * The columns of a query over the streams, tables and views of a job. Mistakes in names, types
   * and syntax are errors that point into the query; whether it can run as a stream is not looked
   * at.
   */
  public synchronized Schema columns(
      JobFile definitions, QueryText query, ConnectorSchemas schemas) {
    return new JobCompiler(definitions, sql, schemas).columns(query);
  }

  /**
   * A query over static tables as DuckDB runs it, with the time of the run in the variable {@code
   * tidemill_batch_time}.
   */
  public synchronized String staticText(
      JobFile definitions, QueryText query, ConnectorSchemas schemas) {
    return new JobCompiler(definitions, sql, schemas).staticText(query);
  }

  @Override
  public synchronized void close() {
    sql.close();
  }
}
