Complete mode: the whole result after each batch.

# every group
complete
SELECT k, g, count(*) AS n, sum(i) AS s, list(id ORDER BY id) AS ids FROM events GROUP BY k, g

# top groups in order
complete
ordered
SELECT k, count(*) AS n, sum(i) AS total FROM events GROUP BY k ORDER BY n DESC, k NULLS LAST LIMIT 4

# all groups in order
complete
ordered
SELECT g, k, max(id) AS m FROM events GROUP BY ALL ORDER BY m DESC, g

# order by an aggregate that is not selected
complete
ordered
SELECT k FROM events GROUP BY k ORDER BY sum(id) DESC

# order by all
complete
ordered
SELECT g, b, count(*) AS n FROM events GROUP BY g, b ORDER BY ALL

# one row
complete
SELECT count(*) AS n, sum(d) AS s FROM events

# windows without a watermark's care
complete
ordered
SELECT window_start, k, count(*) AS n FROM TUMBLE(events, ts, INTERVAL 5 MINUTES) GROUP BY window_start, k ORDER BY window_start, k
---
SELECT time_bucket(INTERVAL 5 MINUTES, ts) AS window_start, k, count(*) AS n FROM events GROUP BY ALL ORDER BY 1, 2

# rollup in order
complete
ordered
SELECT k, b, grouping(k, b) AS l, count(*) AS n FROM events GROUP BY ROLLUP (k, b) ORDER BY l, k, b

# having with order and limit
complete
ordered
SELECT k, sum(i) AS total FROM events GROUP BY k HAVING count(*) > 10 ORDER BY total LIMIT 3

# a filter and join behind the groups
complete
SELECT t.k, t.n, d.weight FROM (SELECT k, count(*) AS n FROM events GROUP BY k) AS t JOIN dims AS d USING (k) WHERE t.n > 5

# deduplicated rows below groups
complete
SELECT k, count(*) AS n FROM drop_duplicates(events, k, g) GROUP BY k
---
SELECT k, count(*) AS n FROM (SELECT DISTINCT k, g FROM events) AS q GROUP BY k

# distinct rows
complete
SELECT DISTINCT k, b FROM events
