package io.tidemill.api;

import java.util.Map;

/** How a static table is read, once for each function instance. */
public final class DataFrameReader {
  private final Loading loading;

  DataFrameReader(Session session) {
    this.loading = new Loading(session, false);
  }

  /** The connector, e.g. json, csv, parquet or text; parquet if not said. */
  public DataFrameReader format(String connector) {
    loading.format(connector);
    return this;
  }

  /** The columns, e.g. {@code id STRING, name STRING}. */
  public DataFrameReader schema(String columns) {
    loading.schema(columns);
    return this;
  }

  public DataFrameReader option(String name, String value) {
    loading.options().set(name, value);
    return this;
  }

  public DataFrameReader option(String name, boolean value) {
    loading.options().set(name, value);
    return this;
  }

  public DataFrameReader option(String name, long value) {
    loading.options().set(name, value);
    return this;
  }

  public DataFrameReader option(String name, double value) {
    loading.options().set(name, value);
    return this;
  }

  public DataFrameReader options(Map<String, String> options) {
    loading.options().setAll(options);
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

  public Dataset<Row> text(String path) {
    return format("text").load(path);
  }
}
