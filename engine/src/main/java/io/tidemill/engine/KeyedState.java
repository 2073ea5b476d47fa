package io.tidemill.engine;

import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.schema.Schema;
import java.util.List;
import java.util.Optional;

/**
 * Keyed state as an operator sees it: a DuckDB table of the task's shard. What an operator changes
 * becomes durable when the task is done, and visible when the batch commits.
 */
public interface KeyedState {
  /** Column of changes that know the row they replace. */
  String ROW = "_row";

  /**
   * Name of the table, which needs no quotes: {@code _bucket} USMALLINT, then the layout's columns;
   * only live rows.
   */
  String table();

  /** Rows in the table. */
  long rows();

  /**
   * Asks for rows before the table is read or changed: for state that does not hold all of them
   * ready. The others may be missing from the table. To be called once, before anything else.
   *
   * @param keys a SELECT of the layout's key columns, and of the evicting column if it follows from
   *     them; a single column of another name if there are no key columns
   * @param evictFollows whether it does, always the same for an operator
   * @param eviction rows that it evicts are asked for too, if the evicting column follows
   */
  default void load(String keys, boolean evictFollows, Watermark eviction) {}

  /**
   * Inserts, replaces and removes rows. Keys compare with IS NOT DISTINCT FROM. Rows at or before
   * what is evicted already are not kept.
   *
   * @param changes a table of no other use, whose name needs no quotes, another one for each call:
   *     it may be read until the next call or until the task saves its state, which may drop it.
   *     Columns are {@code _bucket}, the layout's, and {@code _live}: true for a row to insert or
   *     replace, false for a key to remove. Each key at most once, each in a bucket of the shard
   */
  void apply(String changes);

  /**
   * The same for changes with one more column {@value #ROW}: the {@code rowid} of the row in the
   * table that each replaces, null if there is none. They were read in the same transaction, as a
   * checkpoint of the database may number rows anew.
   */
  default void applyByRow(String changes) {
    apply(changes);
  }

  /** False if no key column of the table holds a null, so that {@code =} finds all equal keys. */
  default boolean mayHoldNullKeys() {
    return true;
  }

  /** False if it is known that {@link #evict} would remove no row. */
  boolean mayEvict(Watermark watermark);

  /** Removes rows whose eviction column is at or before the watermark; returns how many. */
  long evict(Watermark watermark);

  /** Opens the state of a task's operators. */
  interface Access {
    /**
     * State of a stage, at the version the task starts from.
     *
     * @param columns storable columns, keys first
     * @param evictColumn a TIMESTAMP column, null for rows that stay
     */
    KeyedState open(int stage, Schema columns, List<String> keys, Optional<String> evictColumn);

    /** SQL of the bucket of some key expressions. */
    String bucket(List<String> keys);
  }
}
