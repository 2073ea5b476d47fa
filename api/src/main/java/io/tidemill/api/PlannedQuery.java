package io.tidemill.api;

import io.tidemill.query.plan.QueryPlan;
import java.util.Optional;

/**
 * A query as a program started it.
 *
 * @param checkpoint the location where its progress is kept; empty if its sink keeps nothing that
 *     must fit it
 */
public record PlannedQuery(QueryPlan plan, Optional<String> checkpoint) {}
