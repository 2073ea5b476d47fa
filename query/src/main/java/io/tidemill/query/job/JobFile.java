package io.tidemill.query.job;

import java.util.List;

/**
 * A parsed job.
 *
 * @param text what it was parsed from
 */
public record JobFile(JobText text, List<Statement> statements) {
  public JobFile {
    statements = List.copyOf(statements);
  }

  /** Statements of one kind, in order. */
  public <T extends Statement> List<T> all(Class<T> kind) {
    return statements.stream().filter(kind::isInstance).map(kind::cast).toList();
  }
}
