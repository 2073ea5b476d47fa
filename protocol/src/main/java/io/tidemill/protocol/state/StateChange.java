package io.tidemill.protocol.state;

import io.tidemill.protocol.Buckets;
import java.util.List;

/**
 * What one task did to an operator's state.
 *
 * @param operator stage id of the operator
 * @param buckets the task's shard
 * @param added files written, to be read after those before; empty if nothing changed
 * @param rebased true if the added files replace all before them in these buckets
 * @param rows state rows of the shard afterwards
 */
public record StateChange(
    int operator, Buckets buckets, List<StateFile> added, boolean rebased, long rows) {
  public StateChange {
    added = List.copyOf(added);
  }
}
