package io.tidemill.engine.task;

import io.tidemill.engine.Duck;
import io.tidemill.protocol.task.BatchContext;
import io.tidemill.protocol.task.TaskId;
import io.tidemill.query.plan.OwnNames;
import io.tidemill.query.plan.QueryPlan;
import java.util.regex.Pattern;

/**
 * What expressions find in the database besides rows: the batch's time, the task's name and its
 * random numbers. A statement costs as much as some hundred rows, so only what an expression of the
 * plan reads is set.
 */
public final class TaskValues {
  /** In the name of everything in DuckDB that draws from the seeded numbers. */
  private static final Pattern CHANCE =
      Pattern.compile("random|uuid|sample|shuffle|reservoir|approx", Pattern.CASE_INSENSITIVE);

  private final Duck duck;
  private final boolean time;
  private final boolean name;
  private final boolean chance;

  public TaskValues(Duck duck, QueryPlan plan) {
    this.duck = duck;
    String expressions = plan.toString();
    this.time = expressions.contains(OwnNames.BATCH_TIME);
    this.name = expressions.contains(OwnNames.TASK);
    this.chance = CHANCE.matcher(expressions).find();
  }

  /**
   * Before a task.
   *
   * @param task names the task among those of its query, to give each its own random numbers
   */
  public void set(BatchContext batch, TaskId task) {
    if (time) {
      duck.repeat(
          "SET VARIABLE " + OwnNames.BATCH_TIME + " = make_timestamptz(?)",
          batch.timestampMillis() * 1000);
    }
    if (name) {
      duck.repeat("SET VARIABLE " + OwnNames.TASK + " = ?", batch.query() + "/" + task.path());
    }
    if (chance) {
      duck.repeat("SELECT setseed(?)", seed(batch.seed(), task.path()));
    }
  }

  /** A number in [-1, 1) that depends on all bits of the batch's seed and the task's name. */
  private static double seed(long seed, String task) {
    long mixed = seed;
    for (int i = 0; i < task.length(); i++) {
      mixed = (mixed ^ task.charAt(i)) * 0x100000001B3L;
    }
    mixed = (mixed ^ (mixed >>> 33)) * 0xFF51AFD7ED558CCDL;
    mixed ^= mixed >>> 33;
    return (mixed >> 11) * 0x1.0p-52;
  }
}
