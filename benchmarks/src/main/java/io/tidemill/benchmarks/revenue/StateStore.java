package io.tidemill.benchmarks.revenue;

/** Spark's two state stores. */
public enum StateStore {
  MEMORY("spark-memory", "HDFSBackedStateStoreProvider"),
  ROCKSDB("spark-rocksdb", "RocksDBStateStoreProvider");

  private static final String PACKAGE = "org.apache.spark.sql.execution.streaming.state.";

  private final String contender;
  private final String provider;

  StateStore(String contender, String provider) {
    this.contender = contender;
    this.provider = provider;
  }

  String contender() {
    return contender;
  }

  String providerClass() {
    return PACKAGE + provider;
  }
}
