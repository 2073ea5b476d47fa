package io.tidemill.protocol.task;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.source.SourceStats;
import io.tidemill.protocol.state.StateChange;
import java.util.List;

/**
 * What a task did, as recorded once and for ever.
 *
 * @param sources what was read, one entry per source touched
 * @param operators one entry per stateful operator touched
 * @param state changes of keyed state, not visible until a commit names them
 * @param shuffles rows for later stages
 * @param sinkOutputs what the sink has to publish, in the sink's own terms; one entry per sink
 *     written: the query's sink has index 0, dead-letter sinks follow
 * @param outputRows rows emitted to the query's sink
 * @param runMillis time spent computing
 */
public record TaskResult(
    TaskId task,
    AttemptId attempt,
    List<SourceStats> sources,
    List<OperatorStats> operators,
    List<StateChange> state,
    List<ShuffleFile> shuffles,
    List<SinkOutput> sinkOutputs,
    long outputRows,
    long runMillis) {

  /** What one sink has to publish of one task. */
  public record SinkOutput(int sink, JsonNode output) {}
}
