Event-time windows in append mode, closed by a row of the far future.

# tumbling windows
append
flush
SELECT window_start, window_end, k, count(*) AS n, sum(i) AS s FROM TUMBLE(events, ts, INTERVAL 5 MINUTES) GROUP BY window_start, window_end, k
---
SELECT time_bucket(INTERVAL 5 MINUTES, ts) AS window_start, time_bucket(INTERVAL 5 MINUTES, ts) + INTERVAL 5 MINUTES AS window_end, k, count(*) AS n, sum(i) AS s FROM events GROUP BY ALL

# tumbling windows in update mode
update by window_start, k
SELECT window_start, k, count(*) AS n, sum(dec) AS s, avg(d) AS a FROM TUMBLE(events, ts, INTERVAL 5 MINUTES) GROUP BY window_start, k
---
SELECT time_bucket(INTERVAL 5 MINUTES, ts) AS window_start, k, count(*) AS n, sum(dec) AS s, avg(d) AS a FROM events GROUP BY ALL

# tumbling windows selected by their other columns
append
flush
SELECT window_end, window_time, count(*) AS n FROM TUMBLE(events, ts, INTERVAL '90 seconds') GROUP BY window_start
---
SELECT w + INTERVAL 90 SECONDS AS window_end, w + INTERVAL '89.999999 seconds' AS window_time, count(*) AS n
FROM (SELECT time_bucket(INTERVAL 90 SECONDS, ts, TIMESTAMP '1970-01-01') AS w FROM events) AS q GROUP BY w

# hopping windows
append
flush
SELECT window_start, k, count(*) AS n, max(d) AS m FROM HOP(events, ts, INTERVAL 2 MINUTES, INTERVAL 5 MINUTES) GROUP BY window_start, k
---
SELECT w AS window_start, k, count(*) AS n, max(d) AS m
FROM (SELECT *, time_bucket(INTERVAL 2 MINUTES, ts, TIMESTAMP '1970-01-01') - x * INTERVAL 2 MINUTES AS w FROM events, range(3) AS r(x)) AS q
WHERE w + INTERVAL 5 MINUTES > ts GROUP BY ALL

# windows as Spark writes them
append
flush
SELECT window.start AS ws, window.end AS we, k, count(*) AS n FROM events GROUP BY window(ts, '5 minutes'), k
---
SELECT time_bucket(INTERVAL 5 MINUTES, ts) AS ws, ws + INTERVAL 5 MINUTES AS we, k, count(*) AS n FROM events GROUP BY ALL

# windows as Spark writes them with a slide and an offset
append
flush
SELECT window.start AS ws, window.end AS we, g, sum(i) AS s FROM events GROUP BY window(ts, '5 minutes', '1 minute', '30 seconds'), g
---
SELECT w AS ws, w + INTERVAL 5 MINUTES AS we, g, sum(i) AS s
FROM (SELECT *, time_bucket(INTERVAL 1 MINUTE, ts, TIMESTAMP '1970-01-01 00:00:30') - x * INTERVAL 1 MINUTE AS w FROM events, range(5) AS r(x)) AS q
GROUP BY ALL

# the window itself
append
flush
SELECT window, g, sum(i) AS s FROM events GROUP BY window(ts, '10 minutes'), g
---
SELECT {'start': w, 'end': w + INTERVAL 10 MINUTES} AS "window", g, sum(i) AS s FROM (SELECT *, time_bucket(INTERVAL 10 MINUTES, ts) AS w FROM events) AS q GROUP BY w, g

# the event time itself
append
flush
SELECT ts, count(*) AS n, min(k) AS k FROM events GROUP BY ts

# no keys besides the window, many aggregates
append
flush
SELECT window_start, count(*) AS n, count(DISTINCT k) AS ks, median(d) AS m, list(id ORDER BY id) AS ids, arg_max(k, id) AS last, mode(b) FILTER (WHERE b) AS mo, stddev(i) AS sd
FROM TUMBLE(events, ts, INTERVAL 3 MINUTES) GROUP BY window_start
---
SELECT time_bucket(INTERVAL 3 MINUTES, ts) AS window_start, count(*) AS n, count(DISTINCT k) AS ks, median(d) AS m, list(id ORDER BY id) AS ids, arg_max(k, id) AS last, mode(b) FILTER (WHERE b) AS mo, stddev(i) AS sd
FROM events GROUP BY ALL

# having and expressions over windows
append
flush
SELECT window_end - INTERVAL 1 MINUTE AS nearly, upper(k) AS k, sum(i) + 1 AS s FROM TUMBLE(events, ts, INTERVAL 5 MINUTES) WHERE i > 0 GROUP BY window_end, k HAVING count(*) > 1
---
SELECT w + INTERVAL 4 MINUTES AS nearly, upper(k) AS k, sum(i) + 1 AS s FROM (SELECT *, time_bucket(INTERVAL 5 MINUTES, ts) AS w FROM events) AS q WHERE i > 0 GROUP BY w, q.k HAVING count(*) > 1

# window of window
append
flush
WITH small AS (SELECT window_start, window_time, k, count(*) AS n FROM TUMBLE(events, ts, INTERVAL 1 MINUTE) GROUP BY window_start, window_time, k)
SELECT window_start, k, sum(n) AS rows, max(n) AS most, count(*) AS minutes FROM TUMBLE(small, window_time, INTERVAL 10 MINUTES) GROUP BY window_start, k
---
SELECT time_bucket(INTERVAL 10 MINUTES, w) AS window_start, k, sum(n) AS rows, max(n) AS most, count(*) AS minutes
FROM (SELECT time_bucket(INTERVAL 1 MINUTE, ts) AS w, k, count(*) AS n FROM events GROUP BY ALL) AS q GROUP BY ALL

# window of window as Spark writes it
append
flush
SELECT window.start AS ws, max(n) AS most FROM (SELECT window, k, count(*) AS n FROM events GROUP BY window(ts, '1 minute'), k) AS q GROUP BY window(window, '5 minutes')
---
SELECT time_bucket(INTERVAL 5 MINUTES, w) AS ws, max(n) AS most FROM (SELECT time_bucket(INTERVAL 1 MINUTE, ts) AS w, k, count(*) AS n FROM events GROUP BY ALL) AS q GROUP BY ALL

# three windows in a row
append
flush
WITH a AS (SELECT window_time, k, count(*) AS n FROM TUMBLE(events, ts, INTERVAL 1 MINUTE) GROUP BY window_time, k),
  b AS (SELECT window_time, k, sum(n) AS n FROM TUMBLE(a, window_time, INTERVAL 5 MINUTES) GROUP BY window_time, k)
SELECT window_start, sum(n) AS n, count(*) AS c FROM TUMBLE(b, window_time, INTERVAL 10 MINUTES) GROUP BY window_start
---
SELECT time_bucket(INTERVAL 10 MINUTES, w) AS window_start, sum(n) AS n, count(*) AS c
FROM (SELECT time_bucket(INTERVAL 5 MINUTES, ts) AS w, k, count(*) AS n FROM events GROUP BY ALL) AS q GROUP BY ALL

# windows over a union
append
flush
view both_streams AS SELECT ts, k FROM events UNION ALL SELECT ts, k FROM more WHERE i > 0
SELECT window_start, k, count(*) AS n FROM TUMBLE(both_streams, ts, INTERVAL 5 MINUTES) GROUP BY window_start, k
---
SELECT time_bucket(INTERVAL 5 MINUTES, ts) AS window_start, k, count(*) AS n FROM (SELECT ts, k FROM events UNION ALL SELECT ts, k FROM more WHERE i > 0) AS q GROUP BY ALL

# windows over a join and unnest
append
flush
WITH wide AS (SELECT e.ts, d.label, unnest(e.tags) AS tag FROM events AS e JOIN dims AS d USING (k))
SELECT window_start, label, tag, count(*) AS n FROM TUMBLE(wide, ts, INTERVAL 5 MINUTES) GROUP BY ALL
---
SELECT time_bucket(INTERVAL 5 MINUTES, ts) AS window_start, label, tag, count(*) AS n FROM (SELECT e.ts, d.label, unnest(e.tags) AS tag FROM events AS e JOIN dims AS d USING (k)) AS q GROUP BY ALL

# windows with a static join behind
append
flush
SELECT w.window_start, d.label, w.n FROM (SELECT window_start, k, count(*) AS n FROM TUMBLE(events, ts, INTERVAL 5 MINUTES) GROUP BY window_start, k) AS w JOIN dims AS d ON d.k = w.k
---
SELECT w.window_start, d.label, w.n FROM (SELECT time_bucket(INTERVAL 5 MINUTES, ts) AS window_start, k, count(*) AS n FROM events GROUP BY ALL) AS w JOIN dims AS d ON d.k = w.k

# deduplication by key and time
append
SELECT ts, k FROM drop_duplicates(events, k, ts)
---
SELECT DISTINCT ts, k FROM events

# deduplication by keys
append
SELECT k, g, b FROM drop_duplicates(events, k, g, b)
---
SELECT DISTINCT k, g, b FROM events

# deduplication of floating keys
append
view finite AS SELECT dn FROM events WHERE isfinite(dn)
SELECT dn::DECIMAL(9,2) AS x FROM drop_duplicates(finite, dn)
---
SELECT DISTINCT dn::DECIMAL(9,2) AS x FROM events WHERE isfinite(dn)

# deduplication by all columns
append
view pairs AS SELECT k, g, ti % 3 AS t FROM events
SELECT * FROM drop_duplicates(pairs)
---
SELECT DISTINCT k, g, ti % 3 AS t FROM events

# deduplication below windows
append
flush
SELECT window_start, k, count(*) AS n FROM TUMBLE(drop_duplicates(events, k, ts), ts, INTERVAL 5 MINUTES) GROUP BY window_start, k
---
SELECT time_bucket(INTERVAL 5 MINUTES, ts) AS window_start, k, count(*) AS n FROM (SELECT DISTINCT k, ts FROM events) AS q GROUP BY ALL

# deduplication of what windows give
append
flush
view per_minute AS SELECT window_start, k, count(*) AS n FROM TUMBLE(events, ts, INTERVAL 1 MINUTE) GROUP BY window_start, k
SELECT k FROM drop_duplicates(per_minute, k)
---
SELECT DISTINCT k FROM events

# deduplication within the watermark
append
view twice AS SELECT id, ts FROM events UNION ALL SELECT id, ts FROM events
SELECT id FROM drop_duplicates_within_watermark(twice, id)
---
SELECT id FROM events

# limit counts over all batches
append
SELECT 1 AS one FROM events LIMIT 100
---
SELECT 1 AS one FROM events LIMIT 100

# limit over more rows than there are
append
SELECT id, k FROM events WHERE g = 1 LIMIT 1000000
