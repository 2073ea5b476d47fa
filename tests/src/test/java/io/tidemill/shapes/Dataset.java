package io.tidemill.shapes;

import java.util.List;
import java.util.Random;

/**
 * Seeded rows of a stream, in files. Event times never fall behind the watermark, since a file's
 * rows lie within minutes of its place and the delay is longer; but for one stream, of whose rows
 * many come late.
 *
 * @param name of the stream, and of the table that holds all rows for the reference
 * @param ddl declared columns
 * @param select a SELECT with those columns over row numbers {@code i} and file numbers {@code f}
 */
record Dataset(String name, String ddl, String select) {
  /** Files of a stream, the one of the far future aside. */
  static final int FILES = 9;

  private static final int ROWS_MAX = 220;

  /** The stream with late rows. */
  static final String LATE = "tardy";

  private static final String EVENT_COLUMNS =
      """
      id BIGINT, ts TIMESTAMP, k VARCHAR, g INTEGER, b BOOLEAN, ti TINYINT, si SMALLINT, i INTEGER,
      l BIGINT, ub UBIGINT, f FLOAT, d DOUBLE, dn DOUBLE, dec DECIMAL(18,4), big DECIMAL(38,10),
      s VARCHAR, dt DATE, tm TIME, tz TIMESTAMPTZ, u UUID, bl BLOB, tags VARCHAR[], nums INTEGER[],
      st STRUCT(a INTEGER, b VARCHAR, c STRUCT(d DOUBLE)), m MAP(VARCHAR, INTEGER), js VARCHAR""";

  private static final String TIME =
      "TIMESTAMP '2024-03-10 23:50:00' + to_microseconds(f * 180000000 + rnd(i, 1, 300000000))";

  private static final String EVENT_SELECT =
      """
      i AS id,
      %s AS ts,
      nul(i, 2, 'k' || rnd(i, 3, 9)) AS k,
      nul(i, 4, CAST(rnd(i, 5, 5) AS INTEGER)) AS g,
      nul(i, 6, rnd(i, 7, 3) > 0) AS b,
      nul(i, 8, CAST(rnd(i, 9, 256) - 128 AS TINYINT)) AS ti,
      nul(i, 10, CAST(rnd(i, 11, 65536) - 32768 AS SMALLINT)) AS si,
      nul(i, 12, CAST(rnd(i, 13, 2000) - 1000 AS INTEGER)) AS i,
      nul(i, 14, CAST(hash(i, 15, seed()) >> 1 AS BIGINT)) AS l,
      nul(i, 16, hash(i, 17, seed())) AS ub,
      nul(i, 18, CAST((rnd(i, 19, 4000) - 2000) / 8 AS FLOAT)) AS f,
      nul(i, 20, (rnd(i, 21, 200000) - 100000) / 16) AS d,
      CASE rnd(i, 22, 9) WHEN 0 THEN 'NaN'::DOUBLE WHEN 1 THEN -0.0::DOUBLE WHEN 2 THEN 0.0::DOUBLE
        WHEN 3 THEN 'inf'::DOUBLE WHEN 4 THEN NULL ELSE CAST(rnd(i, 23, 3) AS DOUBLE) END AS dn,
      nul(i, 24, CAST(rnd(i, 25, 100000000) - 50000000 AS DECIMAL(18,4)) / 10000) AS dec,
      nul(i, 26, CAST(hash(i, 27, seed()) AS DECIMAL(38,10)) * 1000000) AS big,
      nul(i, 28, ['äöü', 'Straße', '', 'hello world', 'a,b', 'O''Neill', '日本', 'x-1', 'X-1', 'z']
        [1 + rnd(i, 29, 10)] || CASE WHEN rnd(i, 30, 2) = 0 THEN '' ELSE CAST(rnd(i, 31, 30) AS VARCHAR) END)
        AS s,
      nul(i, 32, DATE '2024-02-27' + CAST(rnd(i, 33, 5) AS INTEGER)) AS dt,
      nul(i, 34, TIME '00:00:00' + to_microseconds(rnd(i, 35, 3) * 3600000001)) AS tm,
      nul(i, 36, TIMESTAMPTZ '2024-03-31 00:00:00+00' + to_minutes(rnd(i, 37, 4) * 30)) AS tz,
      nul(i, 38, CAST(md5(CAST(rnd(i, 39, 7) AS VARCHAR)) AS UUID)) AS u,
      nul(i, 40, encode('b' || chr(CAST(rnd(i, 41, 4) AS INTEGER) + 230))) AS bl,
      nul(i, 42, list_transform(range(rnd(i, 43, 4)), lambda x: 't' || ((x + i) %% 5))) AS tags,
      nul(i, 44, list_transform(range(rnd(i, 45, 3)), lambda x: CAST((x * i) %% 7 AS INTEGER))) AS nums,
      nul(i, 46, {'a': CAST(rnd(i, 47, 4) AS INTEGER), 'b': nul(i, 48, 'b' || rnd(i, 49, 3)),
        'c': {'d': rnd(i, 50, 5) / 4}}) AS st,
      nul(i, 51, MAP {'x': CAST(rnd(i, 52, 4) AS INTEGER), 'y': nul(i, 53, CAST(rnd(i, 54, 9) AS INTEGER))})
        AS m,
      nul(i, 55, '{"a": ' || rnd(i, 56, 20) || ', "b": ["p", "q' || rnd(i, 57, 3) || '"]}') AS js
      """
          .formatted(TIME);

  /** Names that the engine uses itself, and names that need quotes. */
  private static final String TRAP_COLUMNS =
      """
      "input" INTEGER, k0 VARCHAR, x0 INTEGER, a0 INTEGER, gid INTEGER, "value" DOUBLE,
      "Mixed Case" INTEGER, "quo""te" VARCHAR, "select" INTEGER, _evict TIMESTAMP, _bucket INTEGER,
      _live BOOLEAN, "window" VARCHAR, ts TIMESTAMP, "ünï" INTEGER, s INTEGER, r INTEGER, u INTEGER,
      __error INTEGER, __x INTEGER, "__Window" INTEGER""";

  private static final String TRAP_SELECT =
      """
      CAST(rnd(i, 101, 5) AS INTEGER) AS "input", 'k' || rnd(i, 102, 4) AS k0,
      CAST(rnd(i, 103, 100) AS INTEGER) AS x0, CAST(rnd(i, 104, 100) AS INTEGER) AS a0,
      CAST(rnd(i, 105, 3) AS INTEGER) AS gid, rnd(i, 106, 100) / 4 AS "value",
      CAST(rnd(i, 107, 4) AS INTEGER) AS "Mixed Case", 'q' || rnd(i, 108, 3) AS "quo""te",
      CAST(rnd(i, 109, 9) AS INTEGER) AS "select", TIMESTAMP '2024-01-01' AS _evict,
      CAST(rnd(i, 110, 2000) AS INTEGER) AS _bucket, rnd(i, 111, 2) = 0 AS _live,
      'w' || rnd(i, 112, 2) AS "window", %s AS ts, CAST(rnd(i, 113, 6) AS INTEGER) AS "ünï",
      CAST(rnd(i, 114, 6) AS INTEGER) AS s, CAST(rnd(i, 115, 6) AS INTEGER) AS r,
      CAST(rnd(i, 116, 6) AS INTEGER) AS u, CAST(rnd(i, 117, 6) AS INTEGER) AS __error,
      CAST(rnd(i, 118, 6) AS INTEGER) AS __x, CAST(rnd(i, 119, 6) AS INTEGER) AS "__Window"
      """
          .formatted(TIME);

  private static final String TARDY_COLUMNS = "id BIGINT, ts TIMESTAMP, k VARCHAR, v INTEGER";

  private static final String TARDY_SELECT =
      """
      i AS id,
      %s - to_microseconds(CASE WHEN f < 100 AND rnd(i, 201, 4) = 0 THEN rnd(i, 202, 2400000000) ELSE 0 END) AS ts,
      nul(i, 203, 'k' || rnd(i, 204, 12)) AS k, CAST(rnd(i, 205, 100) AS INTEGER) AS v
      """
          .formatted(TIME);

  static final List<Dataset> ALL =
      List.of(
          new Dataset(LATE, TARDY_COLUMNS, TARDY_SELECT),
          new Dataset("events", EVENT_COLUMNS, EVENT_SELECT),
          new Dataset("more", EVENT_COLUMNS, EVENT_SELECT),
          new Dataset("traps", TRAP_COLUMNS, TRAP_SELECT));

  /** The id of the first row; ids go on without gaps in the order of files. */
  long firstId() {
    return name.hashCode() & 0xFFFF;
  }

  /** Rows of each file: mostly some, sometimes none or one. */
  int[] sizes(Random random) {
    int[] sizes = new int[FILES];
    for (int i = 0; i < FILES; i++) {
      int kind = random.nextInt(8);
      sizes[i] = kind == 0 ? 0 : kind == 1 ? 1 : 1 + random.nextInt(ROWS_MAX);
    }
    return sizes;
  }
}
