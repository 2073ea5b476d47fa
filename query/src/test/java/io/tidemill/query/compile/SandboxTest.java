package io.tidemill.query.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.error.Category;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a job's SQL cannot reach; DuckDB's own locks stand behind this at run time. */
class SandboxTest {
  private static TidemillException refused(String query) {
    TidemillException[] refused = new TidemillException[1];
    assertThatThrownBy(() -> Jobs.plan("append", query))
        .as(query)
        .isInstanceOfSatisfying(TidemillException.class, e -> refused[0] = e);
    assertThat(refused[0].category()).as(query).isEqualTo(Category.INVALID);
    return refused[0];
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "read_csv('/etc/passwd')",
        "read_csv_auto('/etc/passwd')",
        "sniff_csv('/etc/passwd')",
        "read_parquet('out/*.parquet')",
        "parquet_scan('x.parquet')",
        "parquet_metadata('x.parquet')",
        "parquet_schema('x.parquet')",
        "read_json('x.json')",
        "read_json_objects('x.json')",
        "read_ndjson('x.json')",
        "read_text('/etc/passwd')",
        "read_blob('/etc/passwd')",
        "read_duckdb('x.db')",
        "glob('/etc/*')",
        "read_parquet('https://example.org/x.parquet')",
        "read_csv('s3://bucket/x.csv')",
        "duckdb_settings()",
        "duckdb_secrets()",
        "duckdb_databases()",
        "duckdb_tables()",
        "duckdb_extensions()",
        "duckdb_variables()",
        "duckdb_logs()",
        "duckdb_functions()",
        "pragma_table_info('dim')",
        "pragma_storage_info('dim')",
        "pragma_database_size()",
        "which_secret('s3://b', 's3')",
        "query('SELECT 1')",
        "query_table('dim')",
        "json_execute_serialized_sql('{}')",
        "seq_scan('dim')",
        "repeat_row(1, num_rows := 1000)",
        "test_all_types()",
        "force_checkpoint()",
        "enable_logging()",
        "histogram_values(dim, v)",
      })
  void tableFunctionBeyondTheRowsIsRefused(String call) {
    String inFrom = "SELECT events.k FROM events JOIN " + call + " AS x ON true";
    String inSubquery = "SELECT k, (SELECT count(*) FROM " + call + ") AS n FROM events";
    for (String query : new String[] {inFrom, inSubquery}) {
      TidemillException refused = refused(query);
      assertThat(refused.code()).isEqualTo(ErrorCode.FORBIDDEN);
      assertThat(refused.text())
          .contains("There is no table function '" + call.substring(0, call.indexOf('(')) + "'");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "current_setting('threads')",
        "getvariable('tidemill_batch_time')",
        "getenv('HOME')",
        "setseed(0.5)",
        "nextval('s')",
        "currval('s')",
        "setval('s', 1)",
        "current_database()",
        "current_schema()",
        "current_schemas(true)",
        "in_search_path('memory', 'main')",
        "current_query()",
        "current_connection_id()",
        "txid_current()",
        "version()",
        "write_log('x')",
        "sleep_ms(1)",
        "pg_sleep(1)",
        "pg_get_viewdef(1)",
        "has_table_privilege('dim', 'select')",
        "obj_description(1, 'x')",
        "inet_server_addr()",
        "get_block_size('memory')",
        "index_key('a', 'b', 'c')",
        "stats(v)",
        "vector_type(v)",
        "json_serialize_plan('SELECT * FROM read_csv(''/etc/passwd'')')",
        "to_aggregate_state(1, 'sum', ['BIGINT'])",
        "parse_duckdb_log_message('a', 'b')",
        "__internal_barrier(v)",
        "main.current_setting('threads')",
        "system.main.current_setting('threads')",
        "pg_catalog.current_database()",
        "'threads'.current_setting()",
      })
  void functionThatLooksBeyondTheRowsIsRefused(String call) {
    for (String query :
        new String[] {
          "SELECT " + call + " AS x FROM events",
          "SELECT k FROM events WHERE " + call + " IS NOT NULL",
          "SELECT list_transform(xs, lambda x: " + call + ") AS y FROM events",
          "WITH c AS (SELECT " + call + " AS x FROM dim) SELECT k FROM events JOIN c ON true",
        }) {
      TidemillException refused = refused(query);
      assertThat(refused.code()).as(query).isEqualTo(ErrorCode.FORBIDDEN);
      assertThat(refused.text()).contains("looks outside the query's rows");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'/etc/passwd'",
        "'x.csv'",
        "'x.parquet'",
        "\"x.parquet\"",
        "'https://example.org/x.parquet'",
        "'s3://bucket/x.parquet'",
        "sqlite_master",
        "information_schema.tables",
        "pg_catalog.pg_class",
        "other.main.events",
        "duckdb_settings",
        "nowhere",
      })
  void tableThatTheJobDidNotCreateIsUnknown(String table) {
    TidemillException refused = refused("SELECT events.k FROM events JOIN " + table + " ON true");
    assertThat(refused.code()).isEqualTo(ErrorCode.UNKNOWN_NAME);
    refused("SELECT k FROM events WHERE k IN (SELECT k FROM " + table + ")");
  }

  @Test
  void tablesOfTheJobAreInNoSchema() {
    assertThat(refused("SELECT k FROM events JOIN main.dim USING (k)").text())
        .contains("in no database and schema; write just dim");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SHOW TABLES",
        "SHOW ALL TABLES",
        "DESCRIBE dim",
        "SUMMARIZE dim",
      })
  void catalogIsNoTable(String statement) {
    assertThat(refused("SELECT events.k FROM events JOIN (" + statement + ") ON true").code())
        .isEqualTo(ErrorCode.FORBIDDEN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "COPY dim TO 'x.csv'",
        "COPY (SELECT 1) TO 'x.csv'",
        "ATTACH 'other.db' AS other",
        "DETACH memory",
        "PRAGMA database_list",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET threads = 4",
        "RESET threads",
        "CREATE TABLE x (a INT)",
        "CREATE SECRET s (TYPE s3)",
        "DROP TABLE dim",
        "INSERT INTO dim VALUES (1)",
        "UPDATE dim SET v = 1",
        "DELETE FROM dim",
        "CALL pragma_version()",
        "EXPLAIN SELECT 1",
        "EXPORT DATABASE 'x'",
        "USE memory",
        "CHECKPOINT",
        "PREPARE q AS SELECT 1",
        "BEGIN",
      })
  void statementOtherThanSelectIsRefused(String statement) {
    assertThat(refused(statement).code()).isEqualTo(ErrorCode.JOB_SYNTAX);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO dim VALUES (1) RETURNING k",
        "UPDATE dim SET v = 1 RETURNING k",
        "DELETE FROM dim RETURNING k",
      })
  void statementInACommonTableIsRefused(String statement) {
    assertThat(refused("WITH c AS (" + statement + ") SELECT k FROM events").text())
        .contains("only a SELECT can stand here");
    String view =
        "CREATE STREAM s (k VARCHAR) WITH (connector = 'fake'); CREATE TABLE dim (k VARCHAR, v"
            + " INTEGER) WITH (connector = 'fake'); CREATE VIEW c AS WITH x AS ("
            + statement
            + ") SELECT * FROM x; CREATE SINK o WITH (connector = 'fake'); INSERT INTO o SELECT *"
            + " FROM s;";
    assertThatThrownBy(() -> Jobs.plan(view)).isInstanceOf(TidemillException.class);
  }

  @Test
  void parametersHaveNoValues() {
    for (String parameter : new String[] {"?", "$1", "$name"}) {
      assertThat(refused("SELECT " + parameter + " AS x FROM events").text())
          .contains("Values were not provided");
    }
  }

  @Test
  void exportedStatesAreNotForJobs() {
    assertThat(refused("SELECT sum(v) EXPORT_STATE AS s FROM events").code())
        .isEqualTo(ErrorCode.FORBIDDEN);
  }

  @Test
  void functionsOfTheRowsAreAllowed() {
    for (String call :
        new String[] {
          "error('no')",
          "hash(k)",
          "typeof(v)",
          "list_aggregate(xs, 'sum')",
          "json_extract('{}', '$.a')",
          "(SELECT max(x) FROM range(3) AS r(x))",
          "(SELECT count(*) FROM unnest(xs))",
          "(SELECT count(*) FROM json_each('{}'))",
          "(SELECT count(*) FROM dim)",
          "(WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT"
              + " sum(n) FROM r)",
        }) {
      assertThat(Jobs.plan("append", "SELECT " + call + " AS x FROM events").stages()).hasSize(1);
    }
  }
}
