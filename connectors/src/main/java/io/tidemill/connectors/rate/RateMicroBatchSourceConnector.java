package io.tidemill.connectors.rate;

import io.tidemill.connectors.Options;
import io.tidemill.connectors.Source;
import io.tidemill.connectors.SourceConnector;
import io.tidemill.connectors.SourceLog;
import io.tidemill.connectors.SourceReader;
import io.tidemill.protocol.schema.Schema;
import java.util.List;
import java.util.Optional;

/**
 * The source {@code rate-micro-batch}: the same number of rows in each batch, all with one time
 * that advances from batch to batch, whatever the clock says. Spark 4.2: reference section 3.
 */
public final class RateMicroBatchSourceConnector implements SourceConnector {
  private static final long ADVANCE_MILLIS = 1000;

  @Override
  public String name() {
    return "rate-micro-batch";
  }

  @Override
  public void validate(Options options, Schema declared) {
    options.check(
        List.of("rowsPerBatch", "numPartitions", "startTimestamp", "advanceMillisPerBatch"));
    GeneratedColumns.check(options, declared);
    source(options);
  }

  private static RateMicroBatchSource source(Options options) {
    options.required("rowsPerBatch");
    return new RateMicroBatchSource(
        options.number("rowsPerBatch", 1).orElseThrow(),
        (int) Math.min(options.number("numPartitions", 1).orElse(1), RateSource.PARTITIONS_MAX),
        options.number("startTimestamp", 0).orElse(0),
        options.number("advanceMillisPerBatch", 0).orElse(ADVANCE_MILLIS));
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
    return source(options);
  }

  @Override
  public SourceReader reader(Options options, Schema declared) {
    return new RateMicroBatchReader();
  }
}
