package io.tidemill.api;

import io.tidemill.api.foreach.ForeachBatchConnector;
import io.tidemill.api.rows.RowSet;
import io.tidemill.orchestrator.StreamingQuery;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where the rows of a stream go, and when.
 *
 * @param <T> what a row is
 */
public final class DataStreamWriter<T> {
  private static final List<String> MODES = List.of("append", "update", "complete");

  private final Dataset<T> dataset;
  private final Options options = new Options();
  private String format = "parquet";
  private String mode = "append";
  private Optional<String> name = Optional.empty();
  private Optional<Trigger> trigger = Optional.empty();
  private Optional<BatchFunction<T>> function = Optional.empty();

  DataStreamWriter(Dataset<T> dataset) {
    this.dataset = dataset;
  }

  /** The connector, e.g. parquet, json, csv, kafka, console, memory or noop. */
  public DataStreamWriter<T> format(String connector) {
    format = connector;
    return this;
  }

  public DataStreamWriter<T> outputMode(OutputMode outputMode) {
    return outputMode(outputMode.text());
  }

  /** append, update or complete. */
  public DataStreamWriter<T> outputMode(String outputMode) {
    mode =
        MODES.stream()
            .filter(outputMode::equalsIgnoreCase)
            .findFirst()
            .orElseThrow(
                () ->
                    new TidemillException(
                            ErrorCode.INVALID_OPTION,
                            "The output mode is append, update or complete."
                                + Nearest.hint(outputMode, MODES))
                        .with("mode", outputMode));
    return this;
  }

  /** When batches run; without, each when the one before is done. */
  public DataStreamWriter<T> trigger(Trigger when) {
    trigger = Optional.of(when);
    return this;
  }

  /** What the query is called; also the table of a memory sink. */
  public DataStreamWriter<T> queryName(String queryName) {
    name = Optional.of(queryName);
    return this;
  }

  /** Puts rows into a folder for each combination of the columns. */
  public DataStreamWriter<T> partitionBy(String... columns) {
    return option("partitionBy", String.join(",", columns));
  }

  public DataStreamWriter<T> option(String optionName, String value) {
    options.set(optionName, value);
    return this;
  }

  public DataStreamWriter<T> option(String optionName, boolean value) {
    options.set(optionName, value);
    return this;
  }

  public DataStreamWriter<T> option(String optionName, long value) {
    options.set(optionName, value);
    return this;
  }

  public DataStreamWriter<T> option(String optionName, double value) {
    options.set(optionName, value);
    return this;
  }

  public DataStreamWriter<T> options(Map<String, String> more) {
    options.setAll(more);
    return this;
  }

  /**
   * Hands each batch that has rows to a function, after it is committed and before the next one.
   * The batch comes once, and after a crash perhaps once more with the same id.
   */
  public DataStreamWriter<T> foreachBatch(BatchFunction<T> batchFunction) {
    function = Optional.of(batchFunction);
    format = ForeachBatchConnector.NAME;
    return this;
  }

  public StreamingQuery start(String path) {
    return option("path", path).start();
  }

  /**
   * Starts the query. Sinks that keep rows need the option {@code checkpointLocation}, or the
   * session's setting of that name, below which the query's name is the folder.
   */
  public StreamingQuery start() {
    Session session = dataset.session();
    String queryName = name.orElseGet(() -> "query_" + session.nextQueryNumber());
    function.ifPresent(f -> register(session, queryName, f));
    Starting starting =
        new Starting(session, queryName, name.isPresent(), format, mode, options.values());
    return session.launcher().launch(starting.plan(dataset.step(), trigger));
  }

  @SuppressWarnings("unchecked") // rows are all that datasets have so far
  private void register(Session session, String queryName, BatchFunction<T> taker) {
    options.set(ForeachBatchConnector.FUNCTION, queryName);
    session
        .batchFunctions()
        .put(
            queryName,
            (columns, rows, batch) ->
                session.lend(new RowSet(columns, rows), d -> taker.call((Dataset<T>) d, batch)));
  }
}
