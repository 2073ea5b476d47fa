package io.tidemill.aws.servers;

/**
 * Another place where the servers of tests come from: an implementation on the class path, found as
 * a service, takes the place of the servers of this module.
 */
public interface EndpointSource {
  /**
   * Starts the servers, which run until this process ends. Called once if it succeeds.
   *
   * @throws IllegalStateException saying what is missing
   */
  Endpoints start();
}
