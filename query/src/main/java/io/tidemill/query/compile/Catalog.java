package io.tidemill.query.compile;

import io.tidemill.protocol.schema.Schema;
import io.tidemill.query.plan.ConnectorSpec;
import io.tidemill.query.plan.SourcePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The streams and static tables of a job, names compared without case. */
final class Catalog {
  final Map<String, StreamEntry> streams = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  final Map<String, TableEntry> tables = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

  /** A stream as declared, with its columns. */
  record StreamEntry(
      String name,
      ConnectorSpec connector,
      Schema declared,
      Schema visible,
      Schema hidden,
      Optional<SourcePlan.EventTime> eventTime,
      Optional<String> deadLetterSink,
      boolean dropMalformed) {}

  /** A static table with its columns. */
  record TableEntry(String name, ConnectorSpec connector, Schema declared, Schema columns) {}

  Set<String> names() {
    Set<String> names = new TreeSet<>(streams.keySet());
    names.addAll(tables.keySet());
    return names;
  }

  /** Names of all columns of all streams and tables. */
  List<String> columnNames() {
    List<String> names = new ArrayList<>();
    streams.values().forEach(s -> names.addAll(s.visible().names()));
    tables.values().forEach(t -> names.addAll(t.columns().names()));
    return names;
  }
}
