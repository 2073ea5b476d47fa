package io.tidemill.orchestrator.progress;

import java.util.Optional;

/**
 * Event times of a batch, ISO 8601 in UTC with milliseconds.
 *
 * @param max greatest of the batch; empty if no row had one, like min and avg
 * @param watermark what the batch evicted by; 1970-01-01 if there was none
 */
public record EventTimeProgress(
    Optional<String> max, Optional<String> min, Optional<String> avg, String watermark) {}
