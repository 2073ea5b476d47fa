-- Revenue per customer in windows of ten seconds, so that most batches close some windows.

CREATE STREAM orders (
  order_id VARCHAR NOT NULL,
  customer_id VARCHAR NOT NULL,
  amount DECIMAL(18,2) NOT NULL,
  event_time TIMESTAMP NOT NULL,
  WATERMARK FOR event_time AS event_time - INTERVAL 10 MINUTES
) WITH (
  connector = 'kafka',
  'kafka.bootstrap.servers' = '${SERVERS}',
  subscribe = '${TOPIC}',
  startingOffsets = 'earliest',
  maxOffsetsPerTrigger = '${BATCH_RECORDS}',
  format = 'json',
  malformed = 'dead-letter',
  deadLetter = 'rejected'
);

CREATE SINK rejected WITH (connector = 'json', path = '${OUT}/rejected');
CREATE SINK revenue WITH (connector = 'parquet', path = '${OUT}/revenue', mode = 'append');

INSERT INTO revenue
SELECT window_start, customer_id, sum(amount) AS revenue, count(*) AS orders
FROM TUMBLE(orders, event_time, INTERVAL 10 SECONDS)
GROUP BY window_start, customer_id;
