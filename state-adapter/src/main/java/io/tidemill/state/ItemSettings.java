package io.tidemill.state;

import io.tidemill.storage.Items;

/**
 * What is the same for all items of a table.
 *
 * @param valueBytesMax a value of more bytes goes into a blob, which is one more call to write and
 *     to read. Two of them fit into an item
 * @param sweepEveryBatches how often blobs that no item names are looked for; more often costs
 *     listings, less often leaves them longer
 */
public record ItemSettings(int valueBytesMax, int sweepEveryBatches) {
  public static final ItemSettings STANDARD =
      new ItemSettings(Items.VALUE_BYTES_MAX / 2 - 1_000, 32);

  public ItemSettings {
    if (valueBytesMax < 0 || 2 * valueBytesMax > Items.VALUE_BYTES_MAX) {
      throw new IllegalArgumentException("two values must fit into an item: " + valueBytesMax);
    }
    if (sweepEveryBatches < 1) {
      throw new IllegalArgumentException("must be positive: " + sweepEveryBatches);
    }
  }

  /** Whether tasks of a batch sweep. */
  boolean sweeps(long batch) {
    return batch % sweepEveryBatches == sweepEveryBatches - 1;
  }
}
