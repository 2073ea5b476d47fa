/** What a batch did, as JSON with Spark's field names. */
package io.tidemill.orchestrator.progress;
