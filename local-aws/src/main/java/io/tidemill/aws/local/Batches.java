package io.tidemill.aws.local;

/** Hears of batches that are done. Called on threads of the host, which wait for it. */
@FunctionalInterface
public interface Batches {
  /**
   * A batch to which nothing more is added.
   *
   * @param query the query's name in small letters
   * @param usage what was used for it
   */
  void done(String query, long batch, Usage usage);
}
