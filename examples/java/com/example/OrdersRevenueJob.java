package com.example;

import static io.tidemill.api.functions.col;
import static io.tidemill.api.functions.count;
import static io.tidemill.api.functions.sum;
import static io.tidemill.api.functions.window;

import io.tidemill.api.Dataset;
import io.tidemill.api.Row;
import io.tidemill.api.Session;
import io.tidemill.api.StreamingJob;
import io.tidemill.api.Trigger;
import java.util.Map;

/** What examples/orders/revenue.sql does: the same query, with the same variables. */
public final class OrdersRevenueJob implements StreamingJob {
  @Override
  public void define(Session session) {
    String out = session.variable("OUT", "out");
    Dataset<Row> orders =
        session
            .readStream()
            .name("orders")
            .format("kafka")
            .option(
                "kafka.bootstrap.servers",
                session.variable("KAFKA_BOOTSTRAP_SERVERS", "localhost:9092"))
            .option("subscribe", session.variable("TOPIC", "orders"))
            .option("startingOffsets", "earliest")
            .option("maxOffsetsPerTrigger", session.variable("BATCH_RECORDS", "500000"))
            .option("format", "json")
            .schema(
                "order_id STRING NOT NULL, customer_id STRING NOT NULL,"
                    + " amount DECIMAL(18,2) NOT NULL, event_time TIMESTAMP NOT NULL")
            .deadLetters("json", Map.of("path", out + "/rejected"))
            .load();
    orders
        .withWatermark("event_time", "10 minutes")
        .groupBy(window(col("event_time"), "5 minutes"), col("customer_id"))
        .agg(sum("amount").as("revenue"), count("*").as("orders"))
        .select(
            col("window.start").as("window_start"),
            col("window.end").as("window_end"),
            col("customer_id"),
            col("revenue"),
            col("orders"))
        .writeStream()
        .queryName("revenue")
        .format("parquet")
        .outputMode("append")
        .option("checkpointLocation", out + "/checkpoint/revenue")
        .trigger(Trigger.AvailableNow())
        .start(out + "/revenue");
  }
}
