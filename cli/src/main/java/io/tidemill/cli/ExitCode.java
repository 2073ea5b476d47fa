package io.tidemill.cli;

import io.tidemill.protocol.error.ErrorCode;

/** What the command ends with. */
final class ExitCode {
  static final int DONE = 0;
  static final int FAILED = 1;
  static final int JOB_INVALID = 2;
  static final int CHECKPOINT_INCOMPATIBLE = 3;
  static final int FENCED = 4;

  private ExitCode() {}

  /** The exit code for an error: 2 if the job must be changed before anything can run. */
  static int of(ErrorCode code) {
    return switch (code) {
      case JOB_SYNTAX,
          UNKNOWN_NAME,
          UNKNOWN_OPTION,
          INVALID_OPTION,
          ILLEGAL_QUERY,
          UNSUPPORTED,
          FORBIDDEN,
          NOT_WRITABLE,
          SOURCE_MISSING ->
          JOB_INVALID;
      case CHECKPOINT_MISMATCH,
          CHECKPOINT_NEWER,
          STATE_LAYOUT_CHANGED,
          CHECKPOINT_CORRUPT,
          STATE_CORRUPT ->
          CHECKPOINT_INCOMPATIBLE;
      case FENCED, STALE_ATTEMPT -> FENCED;
      case MALFORMED_RECORD,
          QUERY_FAILED,
          DATA_LOSS,
          HEAD_CONFLICT,
          SOURCE_UNAVAILABLE,
          SINK_UNAVAILABLE,
          STORAGE_UNAVAILABLE,
          STORAGE_FULL,
          FUNCTION_UNAVAILABLE,
          INTERNAL ->
          FAILED;
    };
  }
}
