package io.tidemill.api;

import java.util.Map;

/** How a stream is read. Options are those of the connector; Spark's names where Spark has them. */
public final class DataStreamReader {
  private final Loading loading;

  DataStreamReader(Session session) {
    this.loading = new Loading(session, true);
  }

  /** The connector, e.g. kafka, json, csv, parquet, text, rate or memory; parquet if not said. */
  public DataStreamReader format(String connector) {
    loading.format(connector);
    return this;
  }

  /**
   * The columns, e.g. {@code id STRING NOT NULL, amount DECIMAL(18,2)}. With Kafka, and the option
   * {@code format} as json or csv, the value is read as these columns, and a record that does not
   * have them is malformed.
   */
  public DataStreamReader schema(String columns) {
    loading.schema(columns);
    return this;
  }

  /** What the query calls the stream, in messages and in its checkpoint. */
  public DataStreamReader name(String name) {
    loading.name(name);
    return this;
  }

  public DataStreamReader option(String name, String value) {
    loading.options().set(name, value);
    return this;
  }

  public DataStreamReader option(String name, boolean value) {
    loading.options().set(name, value);
    return this;
  }

  public DataStreamReader option(String name, long value) {
    loading.options().set(name, value);
    return this;
  }

  public DataStreamReader option(String name, double value) {
    loading.options().set(name, value);
    return this;
  }

  public DataStreamReader options(Map<String, String> options) {
    loading.options().setAll(options);
    return this;
  }

  /** Puts malformed records, with where they were and what is wrong, into a sink. */
  public DataStreamReader deadLetters(String connector, Map<String, String> options) {
    loading.deadLetters(new Relation.DeadLetters(connector, options));
    return this;
  }

  public Dataset<Row> load() {
    return loading.load();
  }

  public Dataset<Row> load(String path) {
    return option("path", path).load();
  }

  public Dataset<Row> json(String path) {
    return format("json").load(path);
  }

  public Dataset<Row> csv(String path) {
    return format("csv").load(path);
  }

  public Dataset<Row> parquet(String path) {
    return format("parquet").load(path);
  }

  /** Lines of text, in a column {@code value}. */
  public Dataset<Row> text(String path) {
    return format("text").load(path);
  }
}
