package io.tidemill.crash;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ExecutionException;

/** A kind of sink, and how its rows are read by others. */
interface Target {
  /** Name of the job, a resource. */
  String job();

  /** Makes what must be there before a query of that name writes. */
  void prepare(String query) throws InterruptedException, ExecutionException;

  /**
   * Loads what the sink shows into a table {@code window_start, customer_id, revenue, orders}.
   *
   * @param output the run's folder of outputs
   */
  void load(Connection connection, String table, String query, Path output) throws SQLException;

  /** Something to say about the result of a query that was killed. */
  String remark(String query);
}
