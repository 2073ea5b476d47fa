package io.tidemill.demo;

import java.math.BigDecimal;

/**
 * What the windowed revenue query must answer, known without running it.
 *
 * @param records records in the topic
 * @param malformed records that do not fit the declared columns
 * @param late orders that a watermark has passed before they come
 * @param duplicates records that are copies of the one before; they count like any other
 * @param windows windows that are closed at the end
 * @param rows rows of the result: groups of closed window and customer
 * @param orders orders in the closed windows
 * @param revenue their amounts, two decimals
 */
public record ExpectedRevenue(
    long records,
    long malformed,
    long late,
    long duplicates,
    long windows,
    long rows,
    long orders,
    BigDecimal revenue) {}
