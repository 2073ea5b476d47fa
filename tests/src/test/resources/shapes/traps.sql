Columns with names the engine uses itself, and names that need quotes.

# every trap
SELECT * FROM traps

# names of operators in expressions
SELECT input + 1 AS input, k0 || 'x' AS k0, x0 * 2 AS a0, a0 AS x0, gid, value AS "value", "Mixed Case" AS "Other Case",
  "quo""te", "select", _bucket, _live, "ünï" FROM traps WHERE input > 0 AND "Mixed Case" < 3

# grouping by traps
update by input, k0
SELECT input, k0, sum(x0) AS a0, count(*) AS x0, max("value") AS "value", sum(gid) AS gid, sum(_bucket) AS _bucket
FROM traps GROUP BY input, k0

# grouping by quoted names
update by Mixed Case, quo"te
SELECT "Mixed Case", "quo""te", min("select") AS "select", count(*) AS "count of rows", sum("ünï") AS "ü ö"
FROM traps GROUP BY "Mixed Case", "quo""te"

# mixed case in another case
update by Mixed Case
SELECT "mixed case", SUM(A0) AS "Total A0", COUNT(*) FROM TRAPS GROUP BY "MIXED CASE"

# grouping sets with a column named as the grouping id
update by gid, input, level
SELECT gid, input, count(*) AS n, grouping(gid, input) AS level FROM traps GROUP BY ROLLUP (gid, input)

# windows over traps
append
flush
SELECT window_start, _evict, _bucket % 2 AS _live, k0, sum(a0) AS a0, count(*) AS window_rows
FROM TUMBLE(traps, ts, INTERVAL 5 MINUTES) GROUP BY window_start, _evict, _bucket % 2, k0
---
SELECT time_bucket(INTERVAL 5 MINUTES, ts) AS window_start, _evict, _bucket % 2 AS _live, k0, sum(a0) AS a0,
  count(*) AS window_rows FROM traps GROUP BY ALL

# aliases that the engine uses for tables
SELECT r.s, s.r, u.u, r.input FROM traps AS r JOIN (SELECT 1 AS r) AS s ON true JOIN (SELECT 3 AS u) AS u ON r.u = u.u

# a common table named as the input
WITH q AS (SELECT input, x0 FROM traps) SELECT input.input, input.x0 FROM q AS input

# deduplication over traps
append
SELECT k0, input FROM drop_duplicates(traps, k0, input)
---
SELECT DISTINCT k0, input FROM traps

# distinct over traps
update by k0, input, a0
SELECT DISTINCT k0, input, gid AS a0 FROM traps

# aggregate arguments that are traps
update by k
SELECT "window" AS k, list_sort(list(DISTINCT input)) AS inputs, string_agg(DISTINCT k0, ',' ORDER BY k0) AS names,
  arg_max(r, ts) AS best, count(DISTINCT "ünï") AS n FROM traps GROUP BY "window"

# deduplication by a column named as the bucket
append
SELECT _bucket, _evict FROM drop_duplicates(traps, _bucket, _evict, _live)
---
SELECT _bucket, _evict FROM (SELECT DISTINCT _bucket, _evict, _live FROM traps)

# order by a column named as the bucket
complete
ordered
SELECT _bucket, count(*) AS _live FROM traps GROUP BY _bucket ORDER BY _bucket DESC

# static common table named as the input
append
WITH input AS (SELECT k, label FROM dims) SELECT traps.k0, "input".label, traps.input FROM traps JOIN input ON k0 = k

# static view named as the input
append
view input AS SELECT k, label FROM dims
SELECT k0, label FROM traps JOIN input ON k0 = k

# streaming common table named as the input
update by k0
WITH input AS (SELECT k0, x0 FROM traps WHERE x0 > 3) SELECT k0, sum(x0) AS s FROM input GROUP BY k0

# texts that look like placeholders
update by k0
SELECT k0, string_agg(DISTINCT "quo""te", '{}' ORDER BY "quo""te") AS s, string_agg(k0, '{}') AS t, max('tidemill_raw_records') AS r, any_value('input') AS i
FROM traps GROUP BY k0
---
SELECT k0, string_agg(DISTINCT "quo""te", '{}' ORDER BY "quo""te") AS s, string_agg(k0, '{}') AS t, 'tidemill_raw_records' AS r, 'input' AS i
FROM traps GROUP BY k0

# limit over a column named as the bucket
append
SELECT _bucket - _bucket AS _bucket, 1 AS k0 FROM traps LIMIT 5

# window call beside columns with two underscores
update by ws, w
SELECT window.start AS ws, __window AS w, sum(__x) AS x, min(__error) AS e FROM traps GROUP BY window(ts, '5 minutes'), __window
---
SELECT time_bucket(INTERVAL 5 MINUTES, ts) AS ws, "__Window" AS w, sum(__x) AS x, min(__error) AS e FROM traps GROUP BY ALL
