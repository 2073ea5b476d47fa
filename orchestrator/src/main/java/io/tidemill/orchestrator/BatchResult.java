package io.tidemill.orchestrator;

import io.tidemill.checkpoint.Publication;
import io.tidemill.protocol.source.SourceStats;
import io.tidemill.protocol.state.StateChange;
import io.tidemill.protocol.task.OperatorStats;
import io.tidemill.protocol.task.ShuffleFile;
import io.tidemill.protocol.task.TaskResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What all tasks of a batch did together.
 *
 * @param sources one entry per source of the plan
 * @param operators one entry per stateful operator that ran, by stage id
 * @param state changes per stateful operator that ran, by stage id
 * @param shards tasks per stage that ran, by stage id
 * @param outputs what sinks have to publish, in the order of stages and parts
 * @param shuffles keys of all shuffle files that are blobs
 */
record BatchResult(
    List<SourceStats> sources,
    Map<Integer, OperatorStats> operators,
    Map<Integer, List<StateChange>> state,
    Map<Integer, Integer> shards,
    List<Publication.Output> outputs,
    List<String> shuffles,
    long outputRows) {

  /** Adds up results, given in the order of stages and parts. */
  static BatchResult of(int sourceCount, List<TaskResult> results, Map<Integer, Integer> shards) {
    List<SourceStats> sources = new ArrayList<>();
    for (int i = 0; i < sourceCount; i++) {
      sources.add(SourceStats.none(i));
    }
    Map<Integer, OperatorStats> operators = new TreeMap<>();
    Map<Integer, List<StateChange>> state = new HashMap<>();
    List<Publication.Output> outputs = new ArrayList<>();
    List<String> shuffles = new ArrayList<>();
    long outputRows = 0;
    for (TaskResult result : results) {
      result.sources().forEach(s -> sources.set(s.source(), sources.get(s.source()).plus(s)));
      result.operators().forEach(o -> operators.merge(o.operator(), o, OperatorStats::plus));
      result
          .state()
          .forEach(c -> state.computeIfAbsent(c.operator(), o -> new ArrayList<>()).add(c));
      result
          .sinkOutputs()
          .forEach(o -> outputs.add(new Publication.Output(result.task(), o.sink(), o.output())));
      result.shuffles().stream()
          .filter(s -> s.inline().isEmpty())
          .map(ShuffleFile::key)
          .forEach(shuffles::add);
      outputRows += result.outputRows();
    }
    return new BatchResult(sources, operators, state, shards, outputs, shuffles, outputRows);
  }

  /** Rows read of all sources. */
  long inputRows() {
    return sources.stream().mapToLong(SourceStats::rows).sum();
  }
}
