Queries without state: what goes in comes out once.

# every column of a stream
SELECT * FROM events

# projections with expressions and aliases
SELECT id, i + 1 AS next, -d AS negative, dec * 2 AS twice, k || '/' || s AS both, NOT b AS other, ti::BIGINT * si
FROM events

# filters
SELECT id, k, g FROM events WHERE (i > 10 AND k IN ('k1', 'k2')) OR g IS NULL OR s LIKE '%o%'
