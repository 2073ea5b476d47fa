/**
 * Runs engines as processes of their own and measures them from outside. A comparison is a {@link
 * io.tidemill.benchmarks.harness.Comparison}; an engine that takes part in one is a {@link
 * io.tidemill.benchmarks.harness.Contender}.
 */
package io.tidemill.benchmarks.harness;
