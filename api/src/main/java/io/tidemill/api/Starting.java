package io.tidemill.api;

import io.tidemill.local.LocalJob;
import io.tidemill.local.StandardConnectors;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.job.Statement;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.storage.Locations;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A query with all that its writer says.
 *
 * @param isNamed whether the program gave the name
 */
record Starting(
    Session session,
    String name,
    boolean isNamed,
    String format,
    String mode,
    Map<String, String> options) {
  /** Compiles as a job file would be. */
  PlannedQuery plan(Step step, Optional<Trigger> trigger) {
    checkNames(step);
    Map<String, String> ofSink = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    ofSink.putAll(options);
    Optional<String> checkpoint =
        checkpoint(Optional.ofNullable(ofSink.remove(Settings.CHECKPOINT)));
    ofSink.put("mode", mode);
    Rendering rendering = new Rendering("query " + name, step);
    List<Statement> statements = new ArrayList<>(session.conf().statements());
    statements.add(new Statement.CreateSink(name, Options.statement(format, ofSink, 0), 0));
    trigger.ifPresent(t -> statements.add(new Statement.Set("trigger", t.plan().text(), 0)));
    checkpoint.ifPresent(c -> statements.add(new Statement.Set("checkpoint", c, 0)));
    statements.add(new Statement.Insert(name, rendering.query(), 0));
    QueryPlan plan =
        LocalJob.compile(rendering.job(statements), rendering.schemas(), session.connectors())
            .get(0);
    return new PlannedQuery(plan, checkpoint);
  }

  private static void checkNames(Step step) {
    Set<String> names = new TreeSet<>();
    for (Output output : step.visible()) {
      if (!names.add(output.name().toLowerCase(Locale.ROOT))) {
        throw new TidemillException(
                ErrorCode.ILLEGAL_QUERY,
                "Two columns have the same name; drop one, or give it another with"
                    + " withColumnRenamed or as.")
            .with("column", output.name());
      }
    }
  }

  private Optional<String> checkpoint(Optional<String> option) {
    if (option.isPresent()) {
      return option;
    }
    if (StandardConnectors.isPassing(format.toLowerCase(Locale.ROOT))) {
      return Optional.empty();
    }
    Optional<String> common = session.conf().checkpointLocation();
    if (common.isPresent() && isNamed) {
      return common.map(c -> Locations.child(c, name));
    }
    throw new TidemillException(
            ErrorCode.INVALID_OPTION,
            "The query names no checkpoint, where its progress is kept. Add"
                + " option(\"checkpointLocation\", DIR), or set it for the session and give the"
                + " query a queryName.")
        .with("query", name);
  }
}
