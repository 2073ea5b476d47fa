package io.tidemill.connectors.rate;

import io.tidemill.connectors.Options;
import io.tidemill.connectors.Source;
import io.tidemill.connectors.SourceConnector;
import io.tidemill.connectors.SourceLog;
import io.tidemill.connectors.SourceReader;
import io.tidemill.protocol.schema.Schema;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * The source {@code rate}: rows made at a given rate, with the time they are due and a number from
 * 0. Spark 4.2: reference section 3.
 */
public final class RateSourceConnector implements SourceConnector {
  private final InstantSource clock;

  public RateSourceConnector(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public String name() {
    return "rate";
  }

  @Override
  public void validate(Options options, Schema declared) {
    options.check(List.of("rowsPerSecond", "rampUpTime", "numPartitions"));
    GeneratedColumns.check(options, declared);
    speed(options);
    partitions(options);
  }

  private static RateSpeed speed(Options options) {
    long rampUpSeconds = options.duration("rampUpTime").map(d -> d.toSeconds()).orElse(0L);
    return new RateSpeed(options.number("rowsPerSecond", 1).orElse(1), rampUpSeconds);
  }

  private static int partitions(Options options) {
    return (int) Math.min(options.number("numPartitions", 1).orElse(1), RateSource.PARTITIONS_MAX);
  }

  @Override
  public Schema rawSchema(Options options, Schema declared) {
    return GeneratedColumns.SCHEMA;
  }

  @Override
  public Optional<Payload> payload(Options options) {
    return Optional.empty();
  }

  @Override
  public Source open(Options options, Schema declared, SourceLog log) {
    return new RateSource(speed(options), partitions(options), clock);
  }

  @Override
  public SourceReader reader(Options options, Schema declared) {
    return new RateReader();
  }
}
