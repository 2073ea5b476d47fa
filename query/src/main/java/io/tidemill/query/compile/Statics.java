package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.SourcePlan;
import io.tidemill.query.plan.Stage;
import io.tidemill.query.plan.TablePlan;
import io.tidemill.query.sql.Select;
import io.tidemill.query.sql.TableRef;
import io.tidemill.query.sql.Tree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Static tables and named queries over them: which of them a query needs. */
final class Statics {
  private Statics() {}

  /** The named queries of a scope that read no stream. */
  static Map<String, JsonNode> of(Froms froms, Scope scope) {
    Map<String, JsonNode> statics = new LinkedHashMap<>();
    scope
        .all()
        .values()
        .forEach(
            n -> {
              if (!froms.streams(n.query().node(), n.scope())) {
                statics.put(n.name(), n.entry());
              }
            });
    return statics;
  }

  /**
   * Those named queries that a query uses, directly or through each other, in their order.
   *
   * @param statics each uses only those before it
   */
  static Map<String, JsonNode> usedBy(Select query, Map<String, JsonNode> statics) {
    Set<String> used = tableNames(query.node());
    List<String> backwards = new ArrayList<>(statics.keySet());
    Collections.reverse(backwards);
    for (String name : backwards) {
      if (used.contains(name)) {
        used.addAll(tableNames(statics.get(name)));
      }
    }
    Map<String, JsonNode> needed = new LinkedHashMap<>(statics);
    needed.keySet().retainAll(used);
    return needed;
  }

  /** The plan with no more static tables than its SQL reads. */
  static QueryPlan withTablesRead(QueryPlan plan, Context context) {
    Set<String> read = names();
    for (Stage stage : plan.stages()) {
      read.addAll(tableNames(context.parsed(stage.segment()).node()));
    }
    for (SourcePlan source : plan.sources()) {
      source
          .eventTime()
          .flatMap(SourcePlan.EventTime::rows)
          .ifPresent(rows -> read.addAll(tableNames(context.parsed(rows).node())));
      source
          .watermarkConditions()
          .forEach(c -> read.addAll(tableNames(context.parsed("SELECT " + c).node())));
    }
    List<TablePlan> tables = plan.tables().stream().filter(t -> read.contains(t.name())).toList();
    return new QueryPlan(
        plan.name(),
        plan.mode(),
        plan.sources(),
        tables,
        plan.stages(),
        plan.sinks(),
        plan.output(),
        plan.settings(),
        plan.fingerprint());
  }

  private static Set<String> names() {
    return new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
  }

  private static Set<String> tableNames(JsonNode tree) {
    Set<String> names = names();
    Tree.walk(
        tree,
        n -> {
          if (Tree.type(n).equals("BASE_TABLE")) {
            names.add(new TableRef(n).table());
          }
        });
    return names;
  }
}
