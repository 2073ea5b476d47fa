-- Revenue per customer in windows of five minutes: Kafka in, Parquet out, each window once, when
-- the watermark has passed it. Records that are no orders go to out/rejected with the reason.
--
--   ./tidemill kafka                                  a broker, if there is none
--   ./tidemill run examples/orders/revenue.sql        everything there is, then stop
--
-- In AWS (docs/deploy.md):
-- schedule: rate(15 minutes)

CREATE STREAM orders (
  order_id VARCHAR NOT NULL,
  customer_id VARCHAR NOT NULL,
  amount DECIMAL(18,2) NOT NULL,
  event_time TIMESTAMP NOT NULL,
  WATERMARK FOR event_time AS event_time - INTERVAL 10 MINUTES
) WITH (
  connector = 'kafka',
  'kafka.bootstrap.servers' = '${KAFKA_BOOTSTRAP_SERVERS:localhost:9092}',
  subscribe = '${TOPIC:orders}',
  startingOffsets = 'earliest',
  maxOffsetsPerTrigger = '${BATCH_RECORDS:500000}',
  format = 'json',
  malformed = 'dead-letter',
  deadLetter = 'rejected'
);

CREATE SINK rejected WITH (connector = 'json', path = '${OUT:out}/rejected');
CREATE SINK revenue WITH (connector = 'parquet', path = '${OUT:out}/revenue', mode = 'append');

SET trigger = 'available-now';
SET checkpoint = '${OUT:out}/checkpoint';

INSERT INTO revenue
SELECT window_start, window_end, customer_id, sum(amount) AS revenue, count(*) AS orders
FROM TUMBLE(orders, event_time, INTERVAL 5 MINUTES)
GROUP BY window_start, window_end, customer_id;
