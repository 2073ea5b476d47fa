package io.tidemill.query.plan;

import java.util.Locale;

/** In what a query keeps its state. */
public enum StateForm {
  /** Files in the checkpoint, of which a task reads all of its shard. */
  OBJECT,
  /** Items of a DynamoDB table, of which a task reads those of its rows' keys. */
  DYNAMODB;

  /** As written in a job. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
