Ways to group.

# by an expression
update by h
SELECT i % 10 AS h, count(*) AS n FROM events GROUP BY i % 10

# by ordinals
update by a, b
SELECT upper(k) AS a, g + 1 AS b, sum(i) AS s FROM events GROUP BY 1, 2

# by aliases
update by word, day
SELECT CASE WHEN i > 0 THEN 'plus' ELSE 'minus' END AS word, date_trunc('day', ts) AS day, count(*) AS n FROM events GROUP BY word, day

# by all
update by word, day
SELECT left(s, 1) AS word, count(*) AS n, dt AS day, max(i) AS m FROM events GROUP BY ALL

# by all with an expression that is not selected alone
update by both
SELECT k || coalesce(s, '') AS both, sum(d) AS t FROM events GROUP BY ALL

# by parts of a selected expression
update by x
SELECT g * 2 + 1 AS x, g % 2 = 0 AS even, count(*) AS n FROM events GROUP BY g

# by keys that are not selected
update
empty
SELECT count(*) * 0 AS n FROM events WHERE false GROUP BY k
---
SELECT 0::BIGINT AS n FROM events WHERE false

# without keys
update last
SELECT count(*) AS n, sum(i) AS s, avg(d) AS a, list(id ORDER BY id) AS ids, count(DISTINCT k) AS k FROM events

# without keys and without rows
update last
SELECT count(*) AS n, sum(i) AS s, max(k) AS m, list(id) AS ids, count(DISTINCT k) AS k, median(d) AS md FROM events WHERE id < 0

# without keys over rows that come late in the stream
update last
SELECT count(*) AS n, sum(i) AS s, min(ts) AS first FROM events WHERE ts > TIMESTAMP '2024-03-11 00:10:00'

# constants only
update last
SELECT 1 AS one, count(*) AS n, 'x' AS x FROM events HAVING count(*) > 0

# having
update by k
SELECT k, count(*) AS n, sum(i) AS total FROM events GROUP BY k HAVING count(*) > 1 AND k <> 'k3'

# having with aliases and other aggregates
update by k
SELECT k, max(id) AS latest FROM events GROUP BY k HAVING latest > 10 AND min(id) > 0 AND k IN (SELECT k FROM dims)

# null, nan and zero keys
update by dn
SELECT dn, count(*) AS n, min(id) AS m FROM events GROUP BY dn

# keys of every simple type
update by b, ti, dt, tm
SELECT b, ti % 3 AS ti, dt, tm, count(*) AS n FROM events GROUP BY b, ti % 3, dt, tm

# keys of number types
update by a, b2, c, d2, e, f2
SELECT si % 3 AS a, (l % 2)::BIGINT AS b2, (ub % 3)::UBIGINT AS c, (i % 4)::FLOAT / 4 AS d2, dec::DECIMAL(18,4) % 3 AS e, (big / 1e15)::DECIMAL(38,10) AS f2, count(*) AS n
FROM events GROUP BY ALL

# huge keys
update by h
SELECT (l % 5)::HUGEINT * 10000000000000000000000 AS h, count(*) AS n, max((l % 5)::HUGEINT) AS m FROM events GROUP BY (l % 5)::HUGEINT * 10000000000000000000000

# huge keys in expressions
update by h
SELECT h // 3 AS h, typeof(h) AS t, h & 1 AS odd, count(*) AS n FROM (SELECT ((id % 4)::HUGEINT * 3) AS h FROM events) AS q GROUP BY h

# keys of points in time
update by tz, s, ms, ns, day
SELECT tz, ts::TIMESTAMP_S - to_seconds(second(ts)) AS s, date_trunc('minute', ts)::TIMESTAMP_MS AS ms, date_trunc('minute', ts)::TIMESTAMP_NS AS ns, ts::DATE AS day, count(*) AS n
FROM events GROUP BY ALL

# keys of intervals
update by iv
SELECT iv::VARCHAR AS iv, count(*) AS n FROM (SELECT to_microseconds(id % 3) + to_months((g)::INTEGER) AS iv FROM events) AS q GROUP BY q.iv

# keys of times with a zone
update by t
SELECT t::VARCHAR AS t, count(*) AS n FROM (SELECT tz::TIMETZ AS t FROM events) AS q GROUP BY q.t

# keys of bytes and identifiers
update by bl, u, x
SELECT bl, u, md5(bl) AS x, count(*) AS n FROM events GROUP BY bl, u

# keys of lists, structs and maps
update by tags, st, m
SELECT tags, {'a': st.a, 'c': st.c} AS st, m, count(*) AS n FROM events GROUP BY ALL

# keys of enumerations
update by e
SELECT e::VARCHAR AS e, count(*) AS n, max(e)::VARCHAR AS m, min(e)::VARCHAR AS l FROM (SELECT (CASE WHEN i > 0 THEN 'zero' ELSE 'alpha' END)::ENUM('zero', 'alpha') AS e FROM events) AS q GROUP BY q.e

# keys of bit strings
update by b
SELECT b::VARCHAR AS b, count(*) AS n FROM (SELECT (id % 4)::INTEGER::BIT AS b FROM events) AS q GROUP BY q.b

# keys of json
update by j
SELECT js->'$.b[1]' AS j, count(*) AS n FROM events GROUP BY 1

# keys of arrays
update by a
SELECT a::VARCHAR AS a, count(*) AS n FROM (SELECT [id % 2, id % 3]::INTEGER[2] AS a FROM events) AS q GROUP BY q.a

# rollup
update by k, g, level
SELECT k, g, grouping(k, g) AS level, grouping(g) AS last, count(*) AS n, sum(i) AS s FROM events GROUP BY ROLLUP (k, g)

# cube
update by b, g, d, l
SELECT b, g, dt AS d, grouping(b, g, dt) AS l, count(DISTINCT k) AS n, max(id) AS m FROM events GROUP BY CUBE (b, g, dt)

# grouping sets
update by k, b, x
SELECT k, b, grouping_id(k, b) AS x, sum(d) AS s FROM events GROUP BY GROUPING SETS ((k, b), (k), ())

# grouping sets with an expression and having
update by h, b, x
SELECT upper(k) AS h, b, grouping(upper(k), b) AS x, count(*) AS n FROM events GROUP BY GROUPING SETS ((upper(k)), (b), (upper(k), b)) HAVING count(*) > 1

# rollup without the grouping function
update by k2, b2, n0
SELECT coalesce(k, 'none') AS k2, coalesce(b::VARCHAR, 'none') AS b2, count(k) = 0 AS n0, count(*) AS n FROM events WHERE k IS NOT NULL AND b IS NOT NULL GROUP BY ROLLUP (k, b)

# grouping sets with the time in some
update by w, k, x
SELECT window_start AS w, k, grouping(window_start, k) AS x, count(*) AS n FROM TUMBLE(events, ts, INTERVAL 10 MINUTES) GROUP BY GROUPING SETS ((window_start, k), (k), ())
---
SELECT w, k, grouping(w, k) AS x, count(*) AS n FROM (SELECT *, time_bucket(INTERVAL 10 MINUTES, ts) AS w FROM events) AS q GROUP BY GROUPING SETS ((w, k), (k), ())

# distinct rows
update by k, g
SELECT DISTINCT k, g FROM events

# distinct rows with the event time
append
flush
SELECT DISTINCT ts, k FROM events

# distinct of an expression with nan
update by x, y
SELECT DISTINCT dn AS x, i % 3 AS y FROM events

# union of distinct rows
update by k, g
SELECT k, g FROM events UNION SELECT k, g FROM more

# except a static table
update by k
SELECT k FROM events EXCEPT SELECT k FROM dims

# grouping over a union
update by k
SELECT k, count(*) AS n, sum(v) AS s FROM (SELECT k, i AS v FROM events UNION ALL SELECT k, ti FROM more UNION ALL SELECT s, 1 FROM events) AS q GROUP BY k

# grouping over a join
update by label
SELECT d.label, count(*) AS n, sum(e.i * d.weight) AS total FROM events AS e LEFT JOIN dims AS d ON e.k = d.k GROUP BY d.label

# grouping over unnested rows
update by tag
SELECT tag, count(*) AS n, count(DISTINCT id) AS ids FROM (SELECT id, unnest(tags) AS tag FROM events) AS q GROUP BY tag

# grouping in a common table with a filter behind
update by k
WITH totals AS (SELECT k, sum(i) AS total, count(*) AS n FROM events GROUP BY k)
SELECT k, total * 10 AS ten, n FROM totals WHERE n > 0

# grouping in a view with a static join behind
view totals AS SELECT k, sum(i) AS total FROM events GROUP BY k
update by k, label
SELECT t.k, t.total, d.label FROM totals AS t JOIN dims AS d USING (k)
