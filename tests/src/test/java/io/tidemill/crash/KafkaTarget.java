package io.tidemill.crash;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** A topic, read with {@code read_committed}. */
final class KafkaTarget implements Target {
  private static final int PARTITIONS = 3;

  private final String servers;

  KafkaTarget(String servers) {
    this.servers = servers;
  }

  @Override
  public String job() {
    return "revenue-kafka.sql";
  }

  @Override
  public void prepare(String query) throws InterruptedException, ExecutionException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      admin
          .createTopics(List.of(new NewTopic(query, Optional.of(PARTITIONS), Optional.empty())))
          .all()
          .get();
    }
  }

  @Override
  public void load(Connection connection, String table, String query, Path output)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE " + table + "_json (value VARCHAR)");
    }
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO " + table + "_json SELECT unnest(?::VARCHAR[])")) {
      insert.setObject(
          1, connection.createArrayOf("VARCHAR", values(query, "read_committed").toArray()));
      insert.execute();
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE "
              + table
              + " AS SELECT (value->>'window_start')::TIMESTAMP AS window_start,"
              + " value->>'customer_id' AS customer_id,"
              + " (value->>'revenue')::DECIMAL(38,2) AS revenue,"
              + " (value->>'orders')::BIGINT AS orders FROM "
              + table
              + "_json");
    }
  }

  @Override
  public String remark(String query) {
    int all = values(query, "read_uncommitted").size();
    int committed = values(query, "read_committed").size();
    return ", " + (all - committed) + " rows of transactions that were cut off";
  }

  private List<String> values(String query, String isolation) {
    List<String> values = new ArrayList<>();
    TopicReader.read(servers, query, isolation, record -> values.add(record.value()));
    return values;
  }
}
