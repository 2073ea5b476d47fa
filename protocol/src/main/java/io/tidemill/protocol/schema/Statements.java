package io.tidemill.protocol.schema;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Statements of one connection, kept by their text: a query runs the same ones in every batch, and
 * to parse a long one takes DuckDB longer than to run it over few rows. DuckDB plans one anew when
 * tables have come or gone since, but may also use a plan again. So what is kept should read tables
 * alone, or make one: some of DuckDB's table functions cannot be run twice from one plan. For one
 * thread.
 */
public final class Statements implements AutoCloseable {
  /** More than a query of many stages runs in a batch; those used least recently make room. */
  private static final int KEPT_MAX = 64;

  private final Connection connection;
  private final Map<String, PreparedStatement> kept = new LinkedHashMap<>(16, 0.75f, true);

  public Statements(Connection connection) {
    this.connection = connection;
  }

  /**
   * The statement of a text, ready to be executed. Its results must be closed by the caller, it
   * must not.
   */
  public PreparedStatement of(String sql) throws SQLException {
    PreparedStatement statement = kept.get(sql);
    // DuckDB closes a statement that failed.
    if (statement == null || statement.isClosed()) {
      statement = connection.prepareStatement(sql);
      kept.put(sql, statement);
      closeBeyond(KEPT_MAX);
    }
    return statement;
  }

  private void closeBeyond(int max) throws SQLException {
    while (kept.size() > max) {
      String oldest = kept.keySet().iterator().next();
      kept.remove(oldest).close();
    }
  }

  @Override
  public void close() throws SQLException {
    closeBeyond(0);
  }
}
