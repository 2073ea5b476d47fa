package io.tidemill.checkpoint;

import java.util.Optional;

/**
 * What is known of the event times of one source.
 *
 * @param maxEventMillis greatest event time of all batches, cut to milliseconds; empty before the
 *     first row with one
 * @param activeAtMillis when it last had rows (the batch's timestamp), or when the query began
 */
public record InputActivity(Optional<Long> maxEventMillis, long activeAtMillis) {}
