package io.tidemill.query.plan;

import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.schema.Schema;
import java.util.List;

/**
 * A query as it is run: serialisable, the same on every instance.
 *
 * @param name the query's name: the sink it inserts into, or the name given
 * @param mode output mode
 * @param sources references to streams, in the order the query names them
 * @param tables static tables the query uses
 * @param stages in an order in which each stage stands behind its inputs
 * @param sinks the query's sink first, then dead-letter sinks
 * @param output columns of the query's result
 * @param settings the query's settings
 * @param fingerprint hash of everything that must not change under a checkpoint: sources' kinds,
 *     stateful operators with keys and state types, output mode
 */
public record QueryPlan(
    String name,
    OutputMode mode,
    List<SourcePlan> sources,
    List<TablePlan> tables,
    List<Stage> stages,
    List<SinkPlan> sinks,
    Schema output,
    QuerySettings settings,
    String fingerprint) {
  public QueryPlan {
    sources = List.copyOf(sources);
    tables = List.copyOf(tables);
    stages = List.copyOf(stages);
    sinks = List.copyOf(sinks);
  }

  /** The sink of the query's result. */
  public SinkPlan sink() {
    return sinks.get(0);
  }

  /** The same with other settings; none of them is part of the fingerprint. */
  public QueryPlan withSettings(QuerySettings settings) {
    return new QueryPlan(name, mode, sources, tables, stages, sinks, output, settings, fingerprint);
  }

  /** Stages with a stateful operator. */
  public List<Stage> stateful() {
    return stages.stream().filter(s -> s.operator().isPresent()).toList();
  }

  /**
   * True if a batch without data can have an effect when the watermark moves: some operator is in
   * append or update mode and knows an event time, or a global aggregate is emitted again.
   */
  public boolean usesWatermark() {
    return mode != OutputMode.COMPLETE
        && sources.stream().anyMatch(s -> s.eventTime().isPresent())
        && stages.stream().anyMatch(s -> s.operator().map(QueryPlan::noDataBatch).orElse(false));
  }

  private static boolean noDataBatch(StatefulOperator operator) {
    return !(operator instanceof StatefulOperator.Limit);
  }
}
