/**
 * Kafka as a source and as a sink.
 *
 * <p>Planning: {@code KafkaSource} asks {@code KafkaCluster} for offsets and plans batches with
 * {@code RateLimit} and {@code RangeDivision}. Reading: {@code KafkaReader} streams the records of
 * a {@code RecordFeed} into SQL through {@code RecordFunction}. Writing: {@code KafkaSinkWriter}
 * stages rows in the checkpoint, {@code KafkaSinkPublisher} sends them after the commit.
 */
package io.tidemill.connectors.kafka;
