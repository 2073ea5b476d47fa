package io.tidemill.simulation;

import io.tidemill.checkpoint.Head;
import io.tidemill.protocol.state.StateChange;
import io.tidemill.protocol.task.TaskRequest;
import java.util.Map;
import java.util.Set;

/** Keyed state of the simulation, a count per group, in one of the forms that state has. */
interface Counts {
  /** Id of the stage whose state it is. */
  int OPERATOR = 1;

  /** The state as a task sees it that works on it, on storage that may fail. */
  OfTask of(TaskRequest request, SimulatedStorage.View storage);

  /** What the committed batch left behind. */
  Map<String, Long> committed(Head head, SimulatedStorage storage);

  /** The state of one shard before a batch. To be used in the order of the methods, once. */
  interface OfTask {
    /** Counts of groups that are not over, at least of those asked for that have one. */
    Map<String, Long> load(Set<String> groups);

    /**
     * Stores counts.
     *
     * @param all those loaded, with what was changed
     * @param changed what was changed; 0 for no count any more
     */
    StateChange save(Map<String, Long> all, Map<String, Long> changed);

    /** Removes what nobody needs any more. */
    void tidy();
  }
}
