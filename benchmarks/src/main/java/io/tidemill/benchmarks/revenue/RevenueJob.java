package io.tidemill.benchmarks.revenue;

/**
 * Windowed revenue over one topic.
 *
 * @param bootstrapServers the broker
 * @param topic the topic of orders
 * @param batchRecords records per batch, at most
 */
public record RevenueJob(String bootstrapServers, String topic, long batchRecords) {}
