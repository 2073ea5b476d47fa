/**
 * The commit protocol under a seeded, single-threaded simulation: real orchestrator, checkpoint and
 * records; fake functions, source and sink; storage that fails; processes that die. The same seed
 * gives the same run.
 */
package io.tidemill.simulation;
