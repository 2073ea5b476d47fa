Aggregates by a key, in update mode: the last row of a key is that of the whole input.

# counts and sums of every number type
update by g
SELECT g, count(*) AS n, count(i) AS n_i, sum(ti) AS s_ti, sum(si) AS s_si, sum(i) AS s_i, sum(l) AS s_l, sum(ub) AS s_ub,
  sum(f) AS s_f, sum(d) AS s_d, sum(dec) AS s_dec, sum(big) AS s_big, sum(b) AS s_b, sum(l::HUGEINT * 1000000) AS s_h,
  sum(i::DECIMAL(4,0)) AS s_short, sum(i::DECIMAL(9,2)) AS s_mid, sum(dec::DECIMAL(38,0)) AS s_wide, sum(id::UINTEGER) AS s_ui
FROM events GROUP BY g

# averages, least and most
update by g
SELECT g, avg(ti) AS a_ti, avg(i) AS a_i, avg(l) AS a_l, avg(d) AS a_d, avg(f) AS a_f, avg(dec) AS a_dec, avg(big) AS a_big,
  mean(i) AS m, favg(d) AS fa, min(ti) AS min_ti, max(ti) AS max_ti, min(l) AS min_l, max(l) AS max_l, max(ub) AS max_ub,
  min(d) AS min_d, max(dn) AS max_dn, min(dn) AS min_dn, min(dec) AS min_dec, max(big) AS max_big, min(l::HUGEINT * -3) AS min_h, max(f) AS max_f,
  avg(ts) AS a_ts, avg(dt) AS a_dt, avg(ts - TIMESTAMP '2024-03-10') AS a_iv
FROM events GROUP BY g

# least and most of other types
update by g
SELECT g, min(s) AS min_s, max(s) AS max_s, min(k) AS min_k, min(ts) AS min_ts, max(ts) AS max_ts, min(dt) AS min_dt,
  max(dt) AS max_dt, max(tm) AS max_tm, min(tz) AS min_tz, max(tz) AS max_tz, min(u) AS min_u, max(u) AS max_u,
  min(bl) AS min_bl, max(bl) AS max_bl, max(b) AS max_b, min(b) AS min_b, max(tags) AS max_tags, min(nums) AS min_nums,
  max(st) AS max_st, max(ts - TIMESTAMP '2024-03-10') AS max_iv
FROM events GROUP BY g

# spread
update by g
tolerance 1e-7
SELECT g, stddev(d) AS sd, stddev_pop(d) AS sp, stddev_samp(i) AS ss, variance(d) AS v, var_pop(i) AS vp, var_samp(f) AS vs,
  sem(d) AS se, skewness(d) AS sk, kurtosis(d) AS ku, kurtosis_pop(i) AS kp, mad(d) AS mad, entropy(k) AS e
FROM events GROUP BY g

# relations of two columns
update by g
tolerance 1e-7
SELECT g, corr(d, i) AS c, covar_pop(d, i) AS cp, covar_samp(d, i) AS cs, regr_slope(d, i) AS sl, regr_intercept(d, i) AS ic,
  regr_r2(d, i) AS r2, regr_count(d, i) AS n, regr_avgx(d, i) AS ax, regr_avgy(d, i) AS ay, regr_sxx(d, i) AS sxx,
  regr_syy(d, i) AS syy, regr_sxy(d, i) AS sxy
FROM events GROUP BY g

# quantiles
update by g
SELECT g, median(d) AS m, median(i) AS mi, median(dec) AS md, median(ts) AS mts, quantile_cont(d, 0.25) AS q25,
  quantile_cont(i, [0.1, 0.5, 0.9]) AS qs, quantile_disc(i, 0.75) AS d75, quantile_disc(s, 0.5) AS ds,
  quantile_disc(d, [0.2, 0.8]) AS dl, quantile_cont(dec, 0.333) AS qd, quantile(l, 0.5) AS q, percentile_cont(0.4) WITHIN GROUP (ORDER BY d) AS pc,
  percentile_disc(0.6) WITHIN GROUP (ORDER BY i DESC) AS pd, quantile_disc(k, 0.3) AS qk, quantile_cont(dt, 0.5) AS qdt
FROM events GROUP BY g

# approximate quantiles are near
update by g
tolerance 0.05
SELECT g, round(approx_quantile(d, 0.5) / 1000) AS q, list_transform(approx_quantile(id, [0.25, 0.75]), lambda x: round(x / 500)) AS qs
FROM events WHERE id > 0 GROUP BY g
---
SELECT g, round(approx_quantile(d, 0.5) / 1000) AS q, list_transform(approx_quantile(id, [0.25, 0.75]), lambda x: round(x / 500)) AS qs
FROM events GROUP BY g

# approximate counts are those of the whole
update by g
SELECT g, approx_count_distinct(k) AS ks, approx_count_distinct(id) AS ids, approx_count_distinct(s) AS ss, approx_count_distinct(d) AS ds
FROM events GROUP BY g

# the most frequent
update by g
SELECT g, mode(mod(i, 1)) AS m, list_sort(approx_top_k(b, 3)) AS top, mode(CASE WHEN id > 0 THEN 'x' END) AS x FROM events GROUP BY g

# lists and texts
update by g
unordered ids, ks, texts, bars, structs, all_nums
SELECT g, list(id) AS ids, array_agg(k) AS ks, string_agg(k, ',') AS texts, group_concat('c' || id, ',') AS bars, list(st) AS structs,
  list(nums) AS all_nums
FROM events GROUP BY g

# lists in an order
update by g
SELECT g, list(id ORDER BY id DESC) AS ids, string_agg(k, '-' ORDER BY id) AS texts, array_agg(s ORDER BY d NULLS FIRST, id) AS ss,
  string_agg(DISTINCT k, '|' ORDER BY k DESC) AS names, list(DISTINCT k ORDER BY k NULLS LAST) AS ks, listagg(k, '' ORDER BY id) AS glued
FROM events GROUP BY g

# first and last in an order
update by g
SELECT g, first(k ORDER BY id) AS f, last(s ORDER BY id) AS l, any_value(dt ORDER BY id) AS a, arbitrary(k ORDER BY id DESC) AS b,
  first(d ORDER BY ts) AS fd, last(st ORDER BY ts) AS ls
FROM events GROUP BY g

# values that are the same in a group
update by g
SELECT g, any_value(g) AS a, first(g) AS f, last(g) AS l, any_value(g::VARCHAR || 'x') AS t, arbitrary(g + 1) AS b FROM events GROUP BY g

# arguments of the least and most
update by g
SELECT g, arg_min(k, id) AS a, arg_max(s, id) AS b, arg_min(st, ts) AS c, arg_max(dec, ts) AS d, max_by(u, id) AS e, min_by(tags, id) AS f,
  arg_max_null(k, id) AS h, arg_max(id, d) FILTER (WHERE d IS NOT NULL) AS j, argmax(ts, id) AS m, arg_min(id, l) AS o, arg_max(bl, id) AS p, arg_max(tm, id) AS q
FROM events GROUP BY g

# several of the least and most
update by g
SELECT g, max(id, 3) AS m, min(id, 2) AS n, arg_max(k, id, 4) AS a, arg_min(id, l, 2) AS b FROM events GROUP BY g

# logic and bits
update by g
SELECT g, bool_and(b) AS a, bool_or(b) AS o, bit_and(i) AS ba, bit_or(l) AS bo, bit_xor(si) AS bx, bit_or(ub) AS bu, count_if(b) AS ci,
  countif(i > 3) AS cx, bit_xor(l::HUGEINT) AS bh
FROM events GROUP BY g

# products and exact sums
update by g
tolerance 1e-6
SELECT g, product(CASE WHEN ti > 100 THEN 1.5 ELSE 1 END) AS p, fsum(d) AS fs, kahan_sum(f) AS ks, sumkahan(d) AS sk, sum_no_overflow(ti) AS sn
FROM events GROUP BY g

# means of macros
update by g
tolerance 1e-7
SELECT g, geomean(abs(i::INTEGER) + 1) AS gm, geometric_mean(abs(ti::INTEGER) + 2), weighted_avg(d, id) AS wa, wavg(i, 2)
FROM events GROUP BY g

# histograms
update by g
SELECT g, histogram(ti % 4) AS h, histogram(k) AS hk, map_keys(histogram(b)) AS hb, bitstring_agg(abs(ti::INTEGER) % 8, 0, 8)::VARCHAR AS bs
FROM events GROUP BY g

# distinct aggregates
update by g
unordered ks
SELECT g, count(DISTINCT k) AS n, count(DISTINCT (k, b)) AS pairs, sum(DISTINCT ti) AS s, avg(DISTINCT i % 10) AS a, list(DISTINCT k) AS ks,
  min(DISTINCT i) AS m, count(DISTINCT d) AS nd, count(DISTINCT dn) AS ndn, sum(DISTINCT dec) AS sd, stddev(DISTINCT i % 7) AS sds
FROM events GROUP BY g

# filters
update by g
SELECT g, count(*) FILTER (WHERE b) AS n, sum(i) FILTER (WHERE k = 'k1') AS s, count(DISTINCT k) FILTER (WHERE i > 0) AS d,
  max(s) FILTER (WHERE NOT b) AS m, list(id ORDER BY id) FILTER (WHERE ti > 50) AS ids, mode(k) FILTER (WHERE k = 'k2') AS mo,
  median(d) FILTER (WHERE d > 0) AS md, arg_max(k, id) FILTER (WHERE b) AS am, count(*) FILTER (WHERE k IN (SELECT k FROM dims)) AS dn
FROM events GROUP BY g

# aggregates of expressions and expressions of aggregates
update by g
SELECT g, sum(i * 2 + 1) AS a, sum(i) * 2 + count(*) AS b, max(length(s)) - min(length(s)) AS c, sum(CASE WHEN b THEN 1 ELSE 0 END)::DOUBLE / count(*) AS share,
  g + sum(i) AS e, coalesce(sum(d) FILTER (WHERE false), -1) AS none, round(avg(d), 2) AS r, {'n': count(*), 'm': max(i)} AS st,
  CASE WHEN count(*) > 100 THEN 'many' ELSE 'few' END AS size, sum(i) // 7, sum(l) % 1000, avg(i) > 0
FROM events GROUP BY g

# names of columns without names
update by g
SELECT g, count(*), sum(i), count(DISTINCT k), max(d) FILTER (WHERE b), sum(i) + 1, upper(max(k)), arg_max(k, id), min(st.a), count(i) > 3
FROM events GROUP BY g

# very large sums
update by x
SELECT b AS x, sum(9223372036854775807) AS most, sum((-9223372036854775808)::HUGEINT) AS least, sum(l::HUGEINT * 100000000000000) AS huge,
  sum(99999999999999999999999999999999.99::DECIMAL(36,2)) AS dec, sum(ub) AS u, sum(123456789012345678901234567890::DECIMAL(38,0)) AS wide
FROM events GROUP BY b

# json aggregates
update by b
SELECT b, json_array_length(json_group_array(id)) AS n, json_type(json_group_object('i' || id, g)) AS t FROM events GROUP BY b
