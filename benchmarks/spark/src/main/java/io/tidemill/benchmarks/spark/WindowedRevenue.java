package io.tidemill.benchmarks.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.from_json;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.window;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQueryListener;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Revenue per customer in windows of five minutes, from Kafka to Parquet, everything that is there
 * and then the end. Prints one progress object per batch on standard output.
 *
 * <p>Arguments are {@code name=value}: {@code bootstrap}, {@code topic}, {@code out}, {@code
 * checkpoint}, {@code maxOffsetsPerTrigger}, and any {@code spark.…} setting.
 */
public final class WindowedRevenue {
  private static final StructType ORDER =
      new StructType()
          .add("order_id", DataTypes.StringType)
          .add("customer_id", DataTypes.StringType)
          .add("amount", DataTypes.createDecimalType(18, 2))
          .add("event_time", DataTypes.TimestampType);

  private WindowedRevenue() {}

  public static void main(String[] arguments) throws Exception {
    Map<String, String> options =
        Arrays.stream(arguments)
            .map(a -> a.split("=", 2))
            .collect(Collectors.toMap(a -> a[0], a -> a[1]));
    SparkSession.Builder builder = SparkSession.builder().appName("windowed-revenue");
    options.forEach(
        (name, value) -> {
          if (name.startsWith("spark.")) {
            builder.config(name, value);
          }
        });
    SparkSession spark = builder.getOrCreate();
    spark.sparkContext().setLogLevel("WARN");
    spark.streams().addListener(new ProgressPrinter());
    revenue(spark, options)
        .writeStream()
        .format("parquet")
        .option("path", options.get("out"))
        .option("checkpointLocation", options.get("checkpoint"))
        .outputMode("append")
        .trigger(Trigger.AvailableNow())
        .start()
        .awaitTermination();
    spark.stop();
  }

  private static Dataset<Row> revenue(SparkSession spark, Map<String, String> options) {
    Dataset<Row> orders =
        spark
            .readStream()
            .format("kafka")
            .option("kafka.bootstrap.servers", options.get("bootstrap"))
            .option("subscribe", options.get("topic"))
            .option("startingOffsets", "earliest")
            .option("maxOffsetsPerTrigger", options.get("maxOffsetsPerTrigger"))
            .load()
            .select(from_json(col("value").cast("string"), ORDER).as("o"))
            .select("o.*")
            // What from_json could not read it left null: the malformed records.
            .where(
                "order_id is not null and customer_id is not null"
                    + " and amount is not null and event_time is not null");
    return orders
        .withWatermark("event_time", "10 minutes")
        .groupBy(window(col("event_time"), "5 minutes").as("w"), col("customer_id"))
        .agg(sum("amount").as("revenue"), count(lit(1)).as("orders"))
        .select(
            col("w.start").as("window_start"),
            col("w.end").as("window_end"),
            col("customer_id"),
            col("revenue"),
            col("orders"));
  }

  /** One JSON object a batch. */
  private static final class ProgressPrinter extends StreamingQueryListener {
    @Override
    public void onQueryStarted(QueryStartedEvent event) {}

    @Override
    public void onQueryProgress(QueryProgressEvent event) {
      System.out.println(event.progress().json());
    }

    @Override
    public void onQueryTerminated(QueryTerminatedEvent event) {}
  }
}
