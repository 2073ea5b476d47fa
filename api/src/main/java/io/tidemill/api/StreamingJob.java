package io.tidemill.api;

/**
 * A program that the command runs: {@code tidemill run --jar X.jar}, with {@code --class
 * com.acme.MyJob} if the jar has several. The class is public and has a public constructor without
 * arguments.
 */
public interface StreamingJob {
  /**
   * Builds the queries and starts each with {@code writeStream()…start()}. Called once; the queries
   * run when it has returned, so it must not wait for results.
   */
  void define(Session session);
}
