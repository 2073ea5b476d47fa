/** The orchestrator: runs of queries, and what people ask about them. */
package io.tidemill.lambda.run;
