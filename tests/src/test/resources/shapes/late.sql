Rows behind the watermark, which do not count. The reference has them with the watermark that judged their batch.

# late rows are in no window
append
flush
SELECT window_start, k, count(*) AS n, sum(v) AS s FROM TUMBLE(tardy, ts, INTERVAL 5 MINUTES) GROUP BY window_start, k
---
SELECT time_bucket(INTERVAL 5 MINUTES, ts) AS window_start, k, count(*) AS n, sum(v) AS s FROM judged
WHERE late IS NULL OR time_bucket(INTERVAL 5 MINUTES, ts) + INTERVAL 5 MINUTES > late GROUP BY ALL

# late rows change no window
update by window_start, k
SELECT window_start, k, count(*) AS n, list_sort(list(v)) AS vs FROM TUMBLE(tardy, ts, INTERVAL 3 MINUTES) GROUP BY window_start, k
---
SELECT time_bucket(INTERVAL 3 MINUTES, ts) AS window_start, k, count(*) AS n, list_sort(list(v)) AS vs FROM judged
WHERE late IS NULL OR time_bucket(INTERVAL 3 MINUTES, ts) + INTERVAL 3 MINUTES > late GROUP BY ALL

# late rows count in the complete result
complete
SELECT window_start, count(*) AS n FROM TUMBLE(tardy, ts, INTERVAL 3 MINUTES) GROUP BY window_start
---
SELECT time_bucket(INTERVAL 3 MINUTES, ts) AS window_start, count(*) AS n FROM tardy GROUP BY ALL

# rows are late for some of their windows
append
flush
SELECT window_start, count(*) AS n, max(v) AS m FROM HOP(tardy, ts, INTERVAL 2 MINUTES, INTERVAL 8 MINUTES) GROUP BY window_start
---
SELECT w AS window_start, count(*) AS n, max(v) AS m
FROM (SELECT *, time_bucket(INTERVAL 2 MINUTES, ts, TIMESTAMP '1970-01-01') - x * INTERVAL 2 MINUTES AS w FROM judged, range(4) AS r(x)) AS q
WHERE w + INTERVAL 8 MINUTES > ts AND (late IS NULL OR w + INTERVAL 8 MINUTES > late) GROUP BY ALL

# rows are late by the event time they are grouped by
append
flush
SELECT ts, k, count(*) AS n FROM tardy GROUP BY ts, k
---
SELECT ts, k, count(*) AS n FROM judged WHERE late IS NULL OR ts > late GROUP BY ALL

# late rows are no new ones
append
SELECT k, ts FROM drop_duplicates(tardy, k, ts)
---
SELECT DISTINCT k, ts FROM judged WHERE late IS NULL OR ts > late

# late rows are not distinct ones
append
flush
SELECT DISTINCT ts, k FROM tardy
---
SELECT DISTINCT ts, k FROM judged WHERE late IS NULL OR ts > late

# late rows are dropped before the groups of a deduplication
append
flush
SELECT window_start, count(*) AS n, count(DISTINCT k) AS ks FROM TUMBLE(drop_duplicates(tardy, k, ts), ts, INTERVAL 5 MINUTES) GROUP BY window_start
---
SELECT time_bucket(INTERVAL 5 MINUTES, ts) AS window_start, count(*) AS n, count(DISTINCT k) AS ks FROM (SELECT DISTINCT k, ts FROM judged WHERE late IS NULL OR ts > late) AS q GROUP BY ALL

# groups without the event time know no late rows
update by k
SELECT k, count(*) AS n, sum(v) AS s FROM tardy GROUP BY k
---
SELECT k, count(*) AS n, sum(v) AS s FROM tardy GROUP BY k

# rows without state know no late ones
append
SELECT id, v FROM tardy
