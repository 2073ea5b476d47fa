package io.tidemill.cli;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.tidemill.orchestrator.progress.QueryProgress;

/** A batch with what it used; the object of its line. */
@JsonPropertyOrder({"progress", "cost"})
record AwsBatch(@JsonUnwrapped QueryProgress progress, @JsonUnwrapped AwsCost cost) {}
