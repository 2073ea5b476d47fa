package io.tidemill.benchmarks.revenue;

import io.tidemill.benchmarks.harness.Contender;
import io.tidemill.benchmarks.harness.Java;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Spark on two threads of one process, with the settings that suit the case best. */
public final class SparkRevenue implements Contender<RevenueJob> {
  private static final String MAIN = "io.tidemill.benchmarks.spark.WindowedRevenue";

  /** What Spark 4.2 needs opened on Java 17; the list is its own launcher's. */
  private static final List<String> OPENED =
      List.of(
          "java.base/java.lang",
          "java.base/java.lang.invoke",
          "java.base/java.lang.reflect",
          "java.base/java.io",
          "java.base/java.net",
          "java.base/java.nio",
          "java.base/java.util",
          "java.base/java.util.concurrent",
          "java.base/java.util.concurrent.atomic",
          "java.base/jdk.internal.ref",
          "java.base/sun.nio.ch",
          "java.base/sun.nio.cs",
          "java.base/sun.security.action",
          "java.base/sun.util.calendar");

  private static final List<String> SETTINGS =
      List.of(
          "spark.master=local[2]",
          "spark.ui.enabled=false",
          "spark.driver.host=localhost",
          "spark.sql.shuffle.partitions=2",
          "spark.sql.session.timeZone=UTC",
          "spark.sql.parquet.outputTimestampType=TIMESTAMP_MICROS",
          "spark.sql.streaming.checkpoint.fileChecksum.enabled=false",
          "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled=true");

  private final Path module;
  private final StateStore store;

  /**
   * @param module directory of the Spark module, built
   * @param store the state store
   */
  public SparkRevenue(Path module, StateStore store) {
    this.module = module;
    this.store = store;
  }

  @Override
  public String name() {
    return store.contender();
  }

  @Override
  public List<String> command(RevenueJob job, Path directory) {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("-Xmx4g", "-XX:+UseParallelGC", "-Duser.timezone=UTC"));
    arguments.add("-Djava.io.tmpdir=" + directory);
    OPENED.forEach(opened -> arguments.add("--add-opens=" + opened + "=ALL-UNNAMED"));
    arguments.addAll(SETTINGS);
    arguments.add("spark.local.dir=" + directory);
    arguments.add("spark.sql.streaming.stateStore.providerClass=" + store.providerClass());
    arguments.add("bootstrap=" + job.bootstrapServers());
    arguments.add("topic=" + job.topic());
    arguments.add("maxOffsetsPerTrigger=" + job.batchRecords());
    arguments.add("out=" + directory.resolve("out"));
    arguments.add("checkpoint=" + directory.resolve("checkpoint"));
    return Java.command(classPath(), MAIN, arguments.toArray(String[]::new));
  }

  private String classPath() {
    Path target = module.resolve("target");
    try (Stream<Path> files = Files.list(target)) {
      String jar =
          files
              .map(Path::toString)
              .filter(f -> f.endsWith(".jar"))
              .findFirst()
              .orElseThrow(() -> new IOException("The Spark module is not built: " + target));
      return jar + ":" + Files.readString(target.resolve("class-path.txt")).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
