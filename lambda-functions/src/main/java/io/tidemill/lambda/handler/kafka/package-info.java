/** Kafka's part of getting a function ready for its snapshot. */
package io.tidemill.lambda.handler.kafka;
