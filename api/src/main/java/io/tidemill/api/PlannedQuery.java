package io.tidemill.api;

import io.tidemill.query.plan.QueryPlan;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A query as a program started it.
 *
 * @param checkpoint where its progress is kept; empty if its sink keeps nothing that must fit it
 */
public record PlannedQuery(QueryPlan plan, Optional<Path> checkpoint) {}
