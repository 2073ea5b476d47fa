package io.tidemill.storage.fault;

/**
 * What goes wrong with one storage call: whether it happens, and what is reported. Reads and
 * deletions know fewer answers: for them every fault but {@link #NONE} is an error.
 */
public enum Fault {
  /** It happens, and the report is true. */
  NONE(true),
  /** A write does not happen, and nobody knows. A deletion does not happen, with an error. */
  LOST_REQUEST(false),
  /** A write happens, and nobody knows. A deletion happens, with an error. */
  LOST_REPLY(true),
  /** It does not happen, and the error says so. */
  REFUSED(false),
  /**
   * The object is created, and a hidden retry finds its key taken: reported as a conflict. Only
   * blobs do that; for a register it is as {@link #LOST_REPLY}.
   */
  RETRIED(true);

  private final boolean happens;

  Fault(boolean happens) {
    this.happens = happens;
  }

  public boolean happens() {
    return happens;
  }
}
