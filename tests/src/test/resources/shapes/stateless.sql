Queries without state: what goes in comes out once, whatever the batches.

# every column of a stream
SELECT * FROM events

# expressions with and without names
SELECT id, i + 1 AS next, -d AS negative, dec * 2 AS twice, k || '/' || s AS both, NOT b AS other,
  ti::BIGINT * si, upper(k), l % 7, f / 3, CASE WHEN g > 2 THEN 'big' ELSE k END
FROM events

# filters
SELECT id, k, g FROM events WHERE (i > 10 AND k IN ('k1', 'k2')) OR g IS NULL OR s LIKE '%o%'

# case and coalesce
SELECT id, CASE g WHEN 1 THEN 'one' WHEN 2 THEN 'two' END AS word,
  CASE WHEN d IS NULL THEN 'none' WHEN d < 0 THEN 'below' ELSE 'above' END AS side,
  coalesce(k, s, 'nothing') AS some, nullif(g, 3) AS no_three, ifnull(g, -1) AS filled,
  greatest(i, g, ti) AS most, least(i, g) AS fewest
FROM events

# casts
SELECT id, l::DOUBLE AS l_double, d::INTEGER AS rounded, ti::VARCHAR AS ti_text, dt::TIMESTAMP AS dt_time,
  ts::DATE AS day, TRY_CAST(s AS INTEGER) AS maybe, dec::DECIMAL(10,1) AS short, u::VARCHAR AS u_text,
  bl::VARCHAR AS bl_text, b::INTEGER AS bit, CAST(id AS HUGEINT) * 1000000000000000 AS huge, f::DECIMAL(12,3) AS fixed,
  ts::TIME AS clock, js::JSON AS parsed, nums::VARCHAR[] AS texts
FROM events

# string functions
SELECT id, length(s) AS n, upper(s) AS up, lower(s) AS low, reverse(s) AS back, substr(s, 2, 3) AS part,
  s[1:2] AS head, replace(s, 'o', '0') AS zero, trim('  ' || s) AS trimmed, lpad(k, 5, '*') AS padded,
  concat_ws('-', k, s, NULL) AS joined, split_part(s, ' ', 1) AS word, string_split(s, ',') AS parts,
  starts_with(s, 'h') AS h, contains(s, 'ü') AS umlaut, position('l' IN s) AS at, md5(s) AS hashed,
  printf('%05d|%s', i, k) AS printed, format('{}-{}', g, k) AS formatted, strip_accents(s) AS plain, ascii(s) AS code,
  levenshtein(coalesce(s, ''), 'hello') AS distance, to_base64(bl) AS base, s COLLATE NOCASE = 'x-1' AS same
FROM events

# date and time functions
SELECT id, date_trunc('hour', ts) AS hour, extract(minute FROM ts) AS minute, date_part('dow', dt) AS weekday,
  dt + INTERVAL 1 MONTH AS later, ts - INTERVAL '90 seconds' AS before, strftime(ts, '%Y/%m/%d %H:%M:%S.%f') AS text,
  strptime('2024-01-0' || (1 + id % 9), '%Y-%m-%d') AS parsed, age(ts, TIMESTAMP '2024-01-01')::VARCHAR AS old,
  epoch_ms(ts) AS ms, to_timestamp(epoch(ts)) AS back, last_day(dt) AS month_end, dayname(dt) AS name,
  time_bucket(INTERVAL '7 minutes', ts) AS bucket, date_diff('hour', TIMESTAMP '2024-03-01', ts) AS hours,
  make_date(2024, 1 + (id % 12)::INTEGER, 1) AS made, tz AT TIME ZONE 'Europe/Berlin' AS berlin, tz::DATE AS tz_day,
  date_add(dt, INTERVAL 1 DAY) AS added, monthname(ts) AS month, isodow(ts), week(ts), tm + INTERVAL 1 HOUR AS tm_later
FROM events

# regular expressions
SELECT id, regexp_matches(s, '^[a-z]+') AS word, regexp_replace(s, '[aeiou]', '_', 'g') AS masked,
  regexp_extract(s, '([a-z]+)[ -]?([a-z0-9]*)', 1) AS first, regexp_extract_all(s, '[0-9]') AS digits,
  s SIMILAR TO '.*[0-9]' AS ends, s ~ 'x.*' AS tilde, s ILIKE 'X%' AS ilike, s GLOB '*o*' AS glob,
  regexp_split_to_array(s, '[ ,-]') AS pieces
FROM events WHERE NOT regexp_matches(coalesce(s, ''), 'ü$')

# structs, lists and maps
SELECT id, st.a AS a, st.c.d AS deep, st['b'] AS b, st, tags[1] AS first, tags[-1] AS last, len(tags) AS n,
  m['x'] AS x, map_keys(m) AS names, cardinality(m) AS size, list_contains(tags, 't1') AS has, list_sort(nums) AS sorted,
  list_sum(nums) AS total, nums || [9] AS longer, {'k': k, 'g': g} AS made, [g, i] AS pair, MAP {k: g} AS mapped,
  list_transform(nums, lambda x: x * 2) AS doubled, list_filter(nums, lambda x: x > 2) AS some,
  struct_insert(st, z := id) AS wider, array_to_string(tags, '+') AS joined, row(k, g) AS anonymous
FROM events WHERE k IS NOT NULL

# json functions
SELECT id, js->>'$.a' AS a, json_extract(js, '$.b[0]') AS p, js->'b' AS b, json_array_length(js, '$.b') AS n,
  (js->>'a')::INTEGER + 1 AS more, json_object('k', k, 'g', g) AS made, from_json(js, '{"a":"INTEGER"}').a AS typed,
  json_keys(js) AS names, to_json(st) AS written
FROM events

# unnest of a list
SELECT id, k, unnest(tags) AS tag FROM events

# unnest of a list with a filter outside
SELECT id, tag, upper(tag) AS up FROM (SELECT id, unnest(tags) AS tag FROM events) AS q WHERE tag <> 't2'

# lateral unnest
SELECT e.id, t.tag, n.num FROM events AS e, unnest(e.tags) AS t(tag), unnest(e.nums) AS n(num) WHERE n.num > 1

# left lateral unnest keeps rows with empty lists
SELECT e.id, t.tag FROM events AS e LEFT JOIN unnest(e.tags) AS t(tag) ON true

# lateral subquery over a row
SELECT e.id, q.doubled, q.n FROM events AS e, LATERAL (SELECT e.i * 2 AS doubled, len(e.tags) AS n) AS q

# common tables
WITH a AS (SELECT id, i, k FROM events WHERE i > 0), b AS (SELECT id, i * 2 AS i2, k FROM a), c(x, y) AS (SELECT id, i2 FROM b)
SELECT x, y + 1 AS z FROM c WHERE y < 1500

# nested subqueries
SELECT q.id, q.word || '!' AS loud FROM (SELECT p.id, p.k AS word FROM (SELECT * FROM events WHERE b) AS p WHERE p.i < 500) AS q

# views over views
view positive AS SELECT id, i AS amount, k FROM events WHERE i > 0
view large AS SELECT id, amount * 10 AS amount, k FROM positive WHERE amount > 300
SELECT l.k, l.amount, l.id FROM large AS l WHERE l.k <> 'k3'

# star with exclude, replace and rename
SELECT * EXCLUDE (bl, js, st, m) REPLACE (i * 2 AS i, upper(k) AS k) FROM events

# qualified star and columns expression
SELECT e.* EXCLUDE (id), e.id AS number FROM (SELECT id, k, g, i FROM events) AS e

# columns by pattern
SELECT id, COLUMNS('^t[is]$') FROM events

# values computed from aliases of the same select
SELECT id, i * 2 AS doubled, doubled + 1 AS more, more * more AS square FROM events WHERE doubled > 100

# from first
FROM events SELECT id, k WHERE g = 1

# random names of the stream
SELECT "E".id, "E"."K" FROM EVENTS AS "E"

# in and not in over a static table
SELECT id, k, k IN (SELECT k FROM dims WHERE weight > 30) AS heavy FROM events
WHERE k NOT IN (SELECT k FROM dims WHERE weight = 20)

# exists and not exists over a static table
SELECT e.id, e.k FROM events AS e
WHERE EXISTS (SELECT 1 FROM dims AS d WHERE d.k = e.k AND d.weight > 20)
  AND NOT EXISTS (SELECT 1 FROM ranges AS r WHERE e.i BETWEEN r.low AND r.high AND r.band = 'low')

# scalar subqueries over static tables
SELECT id, i - (SELECT avg(weight) FROM dims) AS off, (SELECT max(d.weight) FROM dims AS d WHERE d.k = e.k) AS own
FROM events AS e WHERE i > (SELECT min(weight) FROM dims)

# inner join with a static table
SELECT e.id, e.k, d.label, d.weight * e.i AS product FROM events AS e JOIN dims AS d ON e.k = d.k

# inner join using
SELECT id, k, label FROM events JOIN dims USING (k) WHERE weight > 20

# left join with a static table
SELECT e.id, e.k, d.label, coalesce(d.weight, -1) AS weight FROM events AS e LEFT JOIN dims AS d USING (k)

# right join that keeps the stream
SELECT e.id, d.label FROM dims AS d RIGHT JOIN events AS e ON d.k = e.k AND d.weight < 60

# join on a range
SELECT e.id, r.band FROM events AS e JOIN ranges AS r ON e.i BETWEEN r.low AND r.high

# semi and anti joins
SELECT id, k FROM events SEMI JOIN dims USING (k)

# anti join
SELECT id, k FROM events ANTI JOIN dims USING (k)

# two joins and a cross join
SELECT e.id, d.weight, r.band, c.n FROM events AS e JOIN dims AS d ON e.k = d.k
  LEFT JOIN ranges AS r ON d.weight BETWEEN r.low AND r.high CROSS JOIN (SELECT count(*) AS n FROM dims) AS c

# join with a subquery and a values list
SELECT e.id, v.word, w.total FROM events AS e JOIN (VALUES (1, 'one'), (2, 'two')) AS v(n, word) ON e.g = v.n
  JOIN (SELECT k, sum(weight) AS total FROM dims GROUP BY k) AS w ON w.k = e.k

# join with a static common table
WITH heavy AS (SELECT k, weight FROM dims WHERE weight > 25)
SELECT e.id, h.weight FROM events AS e JOIN heavy AS h ON h.k = e.k

# union of two streams
SELECT id, k, i FROM events WHERE i > 0 UNION ALL SELECT id, k, -i FROM more WHERE b

# union of a stream with itself and other types
SELECT id, ti AS n, k FROM events UNION ALL SELECT id, d, upper(k) FROM events UNION ALL SELECT id, l, NULL FROM more

# union by name
SELECT id, k, g FROM events UNION ALL BY NAME SELECT g, id, s FROM more

# union in a subquery
SELECT q.k, q.n * 2 AS n FROM (SELECT k, i AS n FROM events UNION ALL SELECT s, g FROM more) AS q WHERE q.n > 1

# clocks by name are columns where there are such columns
SELECT id, current_date, localtime FROM (SELECT id, dt AS current_date, tm AS localtime FROM events) AS q

# text that looks like parameters and markers
SELECT id, '{}' AS braces, 'input' AS word, '$1 ? {x}' AS signs, k || '''' AS quote FROM events
