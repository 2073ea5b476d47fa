package io.tidemill.cli;

import io.tidemill.connectors.Connectors;
import io.tidemill.connectors.Options;
import io.tidemill.protocol.schema.Column;
import io.tidemill.query.plan.AggregateState;
import io.tidemill.query.plan.ConnectorSpec;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.SinkPlan;
import io.tidemill.query.plan.SourcePlan;
import io.tidemill.query.plan.SourcePlan.Malformed;
import io.tidemill.query.plan.Stage;
import io.tidemill.query.plan.StatefulOperator;
import io.tidemill.query.plan.TablePlan;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Draws a plan: from the sources down through the stages to the sink. */
final class PlanText {
  private static final String DOWN = "    |\n";
  private static final String INDENT = "    |  ";

  private final StringBuilder text = new StringBuilder();
  private final QueryPlan plan;
  private final Connectors connectors;

  private PlanText(QueryPlan plan, Connectors connectors) {
    this.plan = plan;
    this.connectors = connectors;
  }

  static String of(QueryPlan plan, Connectors connectors) {
    PlanText drawing = new PlanText(plan, connectors);
    drawing.head();
    for (Stage stage : plan.stages()) {
      drawing.stage(stage);
    }
    drawing.sinks();
    return drawing.text.toString();
  }

  private void head() {
    line("query %s", plan.name());
    line("  output mode  %s, legal for this query", plan.mode().text());
    line("  trigger      %s", plan.settings().trigger().text());
    String checkpoint = plan.settings().checkpoint();
    line("  checkpoint   %s", checkpoint.isEmpty() ? "none named" : checkpoint);
    line("  guarantee    %s", guarantee(plan.sink()));
    for (TablePlan table : plan.tables()) {
      line("  table        %s, read whole from %s", table.name(), connector(table.connector()));
    }
    text.append('\n');
  }

  private void source(SourcePlan source) {
    line("source %s: %s", source.stream(), connector(source.connector()));
    source
        .eventTime()
        .ifPresent(
            time ->
                line(
                    INDENT + "watermark %s behind the newest %s",
                    duration(time.delayMillis()),
                    time.column()));
    line(INDENT + "reads %s", source.columns().stream().sorted().collect(Collectors.joining(", ")));
    line(INDENT + "malformed records %s", malformed(source.malformed()));
    text.append(DOWN);
  }

  private void stage(Stage stage) {
    stage.source().ifPresent(index -> source(plan.sources().get(index)));
    String reads =
        stage.readsSource()
            ? "a task per range of the source"
            : "a task per shard, from the shuffle of stage "
                + stage.inputs().stream().map(String::valueOf).collect(Collectors.joining(", "));
    line("stage %d: %s", stage.id(), stage.single() ? "one task" : reads);
    stage.operator().ifPresent(this::operator);
    text.append((INDENT + stage.segment().strip()).replace("\n", "\n" + INDENT)).append('\n');
    stage
        .consumer()
        .ifPresent(
            consumer ->
                plan.stages()
                    .get(consumer)
                    .operator()
                    .ifPresent(next -> line(INDENT + "shuffle by %s", names(next.keys()))));
    text.append(DOWN);
  }

  private void operator(StatefulOperator operator) {
    line(INDENT + "state %s: one row per %s", operator.sparkName(), names(operator.keys()));
    if (operator instanceof StatefulOperator.Aggregate aggregate) {
      for (AggregateState state : aggregate.aggregates()) {
        line(INDENT + "  %s kept as %s", state.call(), state.storageType());
      }
    }
    operator
        .eventTime()
        .ifPresentOrElse(
            time -> line(INDENT + "  dropped once %s <= watermark", time),
            () -> line(INDENT + "  never dropped"));
  }

  private void sinks() {
    for (SinkPlan sink : plan.sinks()) {
      boolean result = sink.equals(plan.sink());
      line(
          "%s %s: %s, %s",
          result ? "sink" : "dead letters",
          sink.name(),
          connector(sink.connector()),
          guarantee(sink));
      line(
          "       %s",
          sink.rows().columns().stream().map(PlanText::typed).collect(Collectors.joining(", ")));
    }
  }

  private String guarantee(SinkPlan sink) {
    ConnectorSpec spec = sink.connector();
    Options options = new Options(spec.owner(), spec.options(), spec.origins());
    return connectors.sink(spec.connector(), options).guarantee(options).text();
  }

  private String malformed(Malformed malformed) {
    if (malformed instanceof Malformed.DeadLetter letter) {
      return "go to " + plan.sinks().get(letter.sink()).name();
    }
    return malformed instanceof Malformed.Drop ? "are dropped and counted" : "fail the query";
  }

  private static String connector(ConnectorSpec spec) {
    for (String what : List.of("path", "subscribe", "subscribePattern", "assign", "topic")) {
      for (var option : spec.options().entrySet()) {
        if (option.getKey().equalsIgnoreCase(what)) {
          return spec.connector() + " " + option.getValue();
        }
      }
    }
    return spec.connector();
  }

  private static String names(List<Column> columns) {
    return columns.isEmpty()
        ? "query"
        : columns.stream().map(PlanText::typed).collect(Collectors.joining(", "));
  }

  private static String typed(Column column) {
    return column.name() + " " + column.type();
  }

  private static String duration(long millis) {
    Duration duration = Duration.ofMillis(millis);
    return duration.toString().substring(2).toLowerCase(Locale.ROOT);
  }

  private void line(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
