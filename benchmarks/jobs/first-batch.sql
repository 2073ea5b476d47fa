-- windowed-revenue.sql for the functions: TRIGGER is once for a single batch.

CREATE STREAM orders (
  order_id VARCHAR NOT NULL,
  customer_id VARCHAR NOT NULL,
  amount DECIMAL(18,2) NOT NULL,
  event_time TIMESTAMP NOT NULL,
  WATERMARK FOR event_time AS event_time - INTERVAL 10 MINUTES
) WITH (
  connector = 'kafka',
  'kafka.bootstrap.servers' = '${BOOTSTRAP}',
  subscribe = '${TOPIC}',
  startingOffsets = 'earliest',
  format = 'json',
  malformed = 'drop'
);

CREATE SINK revenue WITH (connector = 'parquet', path = '${OUT}', mode = 'append');

SET checkpoint = '${CHECKPOINT}';
SET trigger = '${TRIGGER}';

INSERT INTO revenue
SELECT window_start, window_end, customer_id, sum(amount) AS revenue, count(*) AS orders
FROM TUMBLE(orders, event_time, INTERVAL 5 MINUTES)
GROUP BY window_start, window_end, customer_id;
