package io.tidemill.protocol.error;

/** Every error Tidemill raises, with the category that says what to do. Names are stable. */
public enum ErrorCode {
  JOB_SYNTAX(Category.INVALID),
  UNKNOWN_NAME(Category.INVALID),
  UNKNOWN_OPTION(Category.INVALID),
  INVALID_OPTION(Category.INVALID),
  ILLEGAL_QUERY(Category.INVALID),
  UNSUPPORTED(Category.INVALID),
  FORBIDDEN(Category.INVALID),
  NOT_WRITABLE(Category.INVALID),
  MALFORMED_RECORD(Category.INVALID),
  QUERY_FAILED(Category.INVALID),
  DATA_LOSS(Category.INVALID),
  SOURCE_MISSING(Category.INVALID),
  CHECKPOINT_MISMATCH(Category.INVALID),
  CHECKPOINT_NEWER(Category.INVALID),
  STATE_LAYOUT_CHANGED(Category.INVALID),
  HEAD_CONFLICT(Category.CONFLICT),
  SOURCE_UNAVAILABLE(Category.UNAVAILABLE),
  SINK_UNAVAILABLE(Category.UNAVAILABLE),
  STORAGE_UNAVAILABLE(Category.UNAVAILABLE),
  STORAGE_FULL(Category.UNAVAILABLE),
  FUNCTION_UNAVAILABLE(Category.UNAVAILABLE),
  FENCED(Category.FENCED),
  STALE_ATTEMPT(Category.FENCED),
  CHECKPOINT_CORRUPT(Category.CORRUPT),
  STATE_CORRUPT(Category.CORRUPT),
  INTERNAL(Category.BUG);

  private final Category category;

  ErrorCode(Category category) {
    this.category = category;
  }

  public Category category() {
    return category;
  }
}
