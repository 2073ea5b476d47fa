package io.tidemill.simulation;

import io.tidemill.query.plan.StateForm;

/** What is simulated. */
record SimulatedQuery(String name, Grouping grouping, StateForm form, int retainBatches) {
  static SimulatedQuery drawnFrom(Chance chance) {
    return new SimulatedQuery(
        // A head that is too large for the register now and then.
        chance.oneIn(500) ? "q".repeat(300_000) : "simulated",
        chance.oneIn(5) ? Grouping.NONE : chance.oneIn(2) ? Grouping.KEY : Grouping.WINDOW,
        chance.oneIn(2) ? StateForm.OBJECT : StateForm.DYNAMODB,
        1 + chance.below(3));
  }

  boolean isStateful() {
    return grouping != Grouping.NONE;
  }

  /** The counts of the form. */
  Counts counts() {
    return form == StateForm.OBJECT ? new FileCounts(grouping) : new ItemCounts(grouping);
  }
}
