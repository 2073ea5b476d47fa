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

/** Revenue of each customer in windows of five minutes, from JSON files to Parquet files. */
public final class RevenueJob implements StreamingJob {
  @Override
  public void define(Session session) {
    String data = session.variable("DATA", "data");
    Dataset<Row> orders =
        session
            .readStream()
            .name("orders")
            .schema(
                "order_id STRING NOT NULL, customer_id STRING NOT NULL,"
                    + " amount DECIMAL(18,2) NOT NULL, event_time TIMESTAMP NOT NULL")
            .option("maxFilesPerTrigger", 10)
            .option("malformed", "drop")
            .json(data + "/orders");
    orders
        .withWatermark("event_time", "10 minutes")
        .dropDuplicatesWithinWatermark("order_id")
        .groupBy(window(col("event_time"), "5 minutes"), col("customer_id"))
        .agg(sum("amount").as("revenue"), count("*").as("orders"))
        .select("window.start", "window.end", "customer_id", "revenue", "orders")
        .writeStream()
        .queryName("revenue")
        .format("parquet")
        .outputMode("append")
        .option("checkpointLocation", data + "/checkpoint")
        .trigger(Trigger.AvailableNow())
        .start(data + "/revenue");
  }
}
