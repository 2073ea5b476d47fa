/**
 * The query loop: plans batches, hands their tasks to functions, commits and publishes. Start
 * reading at {@link io.tidemill.orchestrator.QueryLoop}; the rules are in {@code docs/PROTOCOL.md}.
 */
package io.tidemill.orchestrator;
