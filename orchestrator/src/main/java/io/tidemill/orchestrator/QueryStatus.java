package io.tidemill.orchestrator;

/**
 * What a query does at the moment, for people.
 *
 * @param message in words
 * @param isDataAvailable true if the last look found something to do
 * @param isTriggerActive true while a batch is planned or run
 */
public record QueryStatus(String message, boolean isDataAvailable, boolean isTriggerActive) {
  static final QueryStatus STARTING = new QueryStatus("Initializing sources", false, false);
  static final QueryStatus LOOKING = new QueryStatus("Getting offsets from sources", false, true);
  static final QueryStatus RUNNING = new QueryStatus("Processing new data", true, true);
  static final QueryStatus IDLE = new QueryStatus("Waiting for data to arrive", false, false);
  static final QueryStatus WAITING = new QueryStatus("Waiting for next trigger", false, false);
  static final QueryStatus STOPPED = new QueryStatus("Stopped", false, false);
}
