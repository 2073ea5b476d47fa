package io.tidemill.protocol.task;

import io.tidemill.protocol.source.SourceSplit;

/** A split of one of the plan's sources, given to a task. */
public record SplitAssignment(int source, SourceSplit split) {}
