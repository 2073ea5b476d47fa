package io.tidemill.state;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Sql;
import java.util.HashMap;
import java.util.Map;

/**
 * What every state file says about itself in its Parquet metadata: whether its columns mean what
 * the operator thinks, and whether its buckets are those of this library's hash.
 */
final class FileFormat {
  /** The format written. */
  static final int FORMAT = 1;

  private static final String FORMAT_KEY = "tidemill.state.format";
  private static final String LIBRARY_KEY = "tidemill.state.duckdb";
  private static final String LAYOUT_KEY = "tidemill.state.layout";
  private static final String HASH_KEY = "tidemill.state.hash";

  /** One value of each kind that can be a key, alone and together. */
  private static final String HASH_PROBE =
      "SELECT md5(concat_ws(' ', hash(b), hash(i), hash(u), hash(d), hash(f), hash(v), hash(x),"
          + " hash(t), hash(s), hash(o), hash(n), hash(l), hash(r), hash(m), hash(p),"
          + " hash(i, v, n, s))) FROM (VALUES (true, -42::BIGINT, 18446744073709551615::UBIGINT,"
          + " 12345678901234567890.12::DECIMAL(38,2), 1.5::DOUBLE, 'tidemill, a longer text',"
          + " '\\x00\\xFF'::BLOB, DATE '2026-02-28', TIMESTAMP '2026-02-28 12:34:56.789012',"
          + " '5b0c9e70-1c52-4c5f-9f0e-6d8f7f3a2b1c'::UUID, NULL::BIGINT, [1, NULL, 3],"
          + " {'a': 1, 'b': 'x'}, MAP {'k': 2.5}, INTERVAL '1 month 2 days'))"
          + " probe(b, i, u, d, f, v, x, t, s, o, n, l, r, m, p)";

  private final Database database;
  private final String library;
  private final String hash;

  FileFormat(Database database) {
    this.database = database;
    this.library = database.row("SELECT version()", row -> row.getString(1));
    this.hash = database.row(HASH_PROBE, row -> row.getString(1));
  }

  /** Tells by which hash keys are spread over buckets. */
  String hash() {
    return hash;
  }

  /** The metadata of a new file, as COPY takes it. */
  String metadata(StoredLayout layout) {
    return "{"
        + entry(FORMAT_KEY, Integer.toString(FORMAT))
        + ", "
        + entry(LIBRARY_KEY, library)
        + ", "
        + entry(LAYOUT_KEY, layout.text())
        + ", "
        + entry(HASH_KEY, hash)
        + "}";
  }

  private static String entry(String key, String value) {
    return Sql.name(key) + ": " + Sql.text(value);
  }

  /** Refuses a file that this library or operator would misread. */
  void check(String key, String path, StoredLayout layout) {
    Map<String, String> found = new HashMap<>();
    database.rows(
        "SELECT decode(key), decode(value) FROM parquet_kv_metadata(" + Sql.text(path) + ")",
        row -> found.put(row.getString(1), row.getString(2)));
    int format = Integer.parseInt(found.getOrDefault(FORMAT_KEY, "0"));
    if (format > FORMAT) {
      throw changed("The state was written by a newer version. Run that version or a later one.")
          .with("key", key)
          .with("format", format)
          .with("formatSupported", FORMAT);
    }
    require(
        layout.text(),
        LAYOUT_KEY,
        found,
        key,
        "The stored state has other columns than this query keeps: the query or the library that"
            + " lays it out was changed. Run the query as it was, or start it with a new"
            + " checkpoint.");
    require(
        hash,
        HASH_KEY,
        found,
        key,
        "The stored state was spread over its buckets by a library version that hashes keys"
            + " differently. Run with that version, or start the query with a new checkpoint.");
  }

  private void require(
      String expected, String entry, Map<String, String> found, String key, String text) {
    if (!expected.equals(found.get(entry))) {
      throw changed(text)
          .with("key", key)
          .with("stored", found.get(entry))
          .with("expected", expected)
          .with("libraryStored", found.get(LIBRARY_KEY))
          .with("library", library);
    }
  }

  private static TidemillException changed(String text) {
    return new TidemillException(ErrorCode.STATE_LAYOUT_CHANGED, text);
  }
}
