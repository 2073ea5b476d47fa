package io.tidemill.api;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A stream or table, or a query over some. Names and meanings are Spark's. Each method makes a new
 * dataset and checks names and types at once; nothing is read before a query is started. Immutable
 * and thread-safe.
 *
 * @param <T> what a row is
 */
public final class Dataset<T> {
  private final Session session;
  private final Step step;

  Dataset(Session session, Step step) {
    this.session = session;
    this.step = step;
  }

  Step step() {
    return step;
  }

  Session session() {
    return session;
  }

  private Transformations transformations() {
    return new Transformations(session.queries(), step);
  }

  private <U> Dataset<U> of(Step changed) {
    return new Dataset<>(session, changed);
  }

  /** A column of this dataset, found even behind joins in which its name occurs twice. */
  public Column col(String name) {
    Named named = Named.of(name, Optional.of(step));
    if (!named.isStar()) {
      session.queries().scope(step).output(named);
    }
    return new Column(named);
  }

  public Dataset<Row> select(Column... columns) {
    return of(transformations().select(List.of(columns)));
  }

  public Dataset<Row> select(String column, String... more) {
    return of(transformations().select(functions.columns(column, more)));
  }

  /** SQL expressions, perhaps with AS and an alias. */
  public Dataset<Row> selectExpr(String... expressions) {
    return of(transformations().select(Arrays.stream(expressions).map(functions::expr).toList()));
  }

  public Dataset<T> filter(Column condition) {
    return of(transformations().filter(condition));
  }

  /** Rows for which a SQL expression is true. */
  public Dataset<T> filter(String condition) {
    return filter(functions.expr(condition));
  }

  public Dataset<T> where(Column condition) {
    return filter(condition);
  }

  public Dataset<T> where(String condition) {
    return filter(condition);
  }

  /** With a further column, or another value in a column that is there. */
  public Dataset<Row> withColumn(String name, Column column) {
    return of(transformations().withColumns(Map.of(name, column)));
  }

  public Dataset<Row> withColumns(Map<String, Column> columns) {
    return of(transformations().withColumns(columns));
  }

  /** With another name for a column; nothing changes if there is no such column. */
  public Dataset<Row> withColumnRenamed(String name, String newName) {
    return of(transformations().renamed(name, newName));
  }

  /** Without columns of these names; those that are not there do not matter. */
  public Dataset<Row> drop(String... names) {
    return of(transformations().without(Arrays.stream(names).map(functions::col).toList()));
  }

  public Dataset<Row> drop(Column column) {
    return of(transformations().without(List.of(column)));
  }

  /** With other names, one for each column. */
  public Dataset<Row> toDF(String... names) {
    return of(transformations().named(List.of(names)));
  }

  /** Under a name, for columns such as {@code col("o.id")}. */
  public Dataset<T> as(String alias) {
    return of(step.withOutputs(step.outputs().stream().map(o -> o.qualified(alias)).toList()));
  }

  public Dataset<T> alias(String alias) {
    return as(alias);
  }

  /** Each row once; on a stream, for its life. */
  public Dataset<T> distinct() {
    return dropDuplicates();
  }

  public Dataset<T> dropDuplicates() {
    return dropDuplicates(columns());
  }

  /** The first row for each combination of the columns; on a stream, for its life. */
  public Dataset<T> dropDuplicates(String... columns) {
    return of(transformations().dropDuplicates(List.of(columns), false));
  }

  public Dataset<T> dropDuplicatesWithinWatermark() {
    return dropDuplicatesWithinWatermark(columns());
  }

  /** The first row for each combination of the columns, forgotten when the watermark has passed. */
  public Dataset<T> dropDuplicatesWithinWatermark(String... columns) {
    return of(transformations().dropDuplicates(List.of(columns), true));
  }

  /** The rows of both, columns by position, as UNION ALL. */
  public Dataset<T> union(Dataset<T> other) {
    return of(transformations().union(other.step));
  }

  public Dataset<T> unionAll(Dataset<T> other) {
    return union(other);
  }

  /** The rows of both, columns by name. */
  public Dataset<T> unionByName(Dataset<T> other) {
    return unionByName(other, false);
  }

  /** The rows of both, columns by name, with nulls for a column that one side lacks if allowed. */
  public Dataset<T> unionByName(Dataset<T> other, boolean allowMissingColumns) {
    return of(transformations().unionByName(other.step, allowMissingColumns));
  }

  public Dataset<Row> crossJoin(Dataset<?> right) {
    return of(transformations().crossJoin(right.step));
  }

  /** The inner join on a column that both have, which the result has once. */
  public Dataset<Row> join(Dataset<?> right, String column) {
    return join(right, new String[] {column}, "inner");
  }

  /**
   * A join on columns that both have, which the result has once.
   *
   * @param type inner, left, right, left_semi or left_anti, or another of Spark's names
   */
  public Dataset<Row> join(Dataset<?> right, String[] columns, String type) {
    return of(transformations().join(right.step, List.of(columns), type));
  }

  public Dataset<Row> join(Dataset<?> right, Column condition) {
    return join(right, condition, "inner");
  }

  /** A join on a condition; columns that share a name are told apart with {@link #col}. */
  public Dataset<Row> join(Dataset<?> right, Column condition, String type) {
    return of(transformations().join(right.step, condition, type));
  }

  /**
   * Says how late rows may be. The time column may be worked out by the query, e.g. from a Kafka
   * record's JSON. Spark 4.2: reference 6.1; each stream of a union has a watermark of its own.
   *
   * @param delay e.g. {@code 10 minutes}
   */
  public Dataset<T> withWatermark(String column, String delay) {
    return step.isStreaming() ? of(transformations().withWatermark(column, delay)) : this;
  }

  public RelationalGroupedDataset groupBy(Column... keys) {
    return new RelationalGroupedDataset(this, Grouping.PLAIN, List.of(keys));
  }

  public RelationalGroupedDataset groupBy(String key, String... more) {
    return groupBy(functions.columns(key, more).toArray(new Column[0]));
  }

  public RelationalGroupedDataset rollup(Column... keys) {
    return new RelationalGroupedDataset(this, Grouping.ROLLUP, List.of(keys));
  }

  public RelationalGroupedDataset cube(Column... keys) {
    return new RelationalGroupedDataset(this, Grouping.CUBE, List.of(keys));
  }

  /** Aggregates of all rows. */
  public Dataset<Row> agg(Column first, Column... more) {
    return groupBy().agg(first, more);
  }

  /** Sorted; a stream only behind an aggregation in output mode complete. */
  public Dataset<T> orderBy(Column... keys) {
    return of(transformations().sorted(List.of(keys)));
  }

  public Dataset<T> orderBy(String key, String... more) {
    return of(transformations().sorted(functions.columns(key, more)));
  }

  public Dataset<T> sort(Column... keys) {
    return orderBy(keys);
  }

  public Dataset<T> sort(String key, String... more) {
    return orderBy(key, more);
  }

  /** The first rows; of a stream, the first of its life. */
  public Dataset<T> limit(int rows) {
    return of(transformations().limit(rows));
  }

  public boolean isStreaming() {
    return step.isStreaming();
  }

  /** Names and DuckDB types of the columns. */
  public Schema schema() {
    return transformations().schema();
  }

  public String[] columns() {
    return schema().names().toArray(new String[0]);
  }

  /** DuckDB types by column name. */
  public Map<String, String> dtypes() {
    Map<String, String> types = new LinkedHashMap<>();
    schema().columns().forEach(c -> types.put(c.name(), c.type()));
    return types;
  }

  /** The query as SQL, which is what is run. */
  public String toSql() {
    return new Rendering("query", step).sql();
  }

  /** Prints the query as SQL. */
  public void explain() {
    out().println(toSql());
  }

  public void printSchema() {
    schema().columns().forEach(c -> out().println(" |-- " + c.name() + ": " + c.type()));
  }

  private static PrintStream out() {
    return System.out;
  }

  /** Makes the dataset a name in the session's SQL; one that was there under the name goes. */
  public void createOrReplaceTempView(String name) {
    session.register(name, this);
  }

  /** Starts the description of where the rows of a stream go. */
  public DataStreamWriter<T> writeStream() {
    if (!step.isStreaming()) {
      throw new TidemillException(
          ErrorCode.ILLEGAL_QUERY,
          "writeStream is for streams, and this reads static tables only; start from readStream.");
    }
    return new DataStreamWriter<>(this);
  }

  /** All rows of a dataset over static tables. */
  public List<Row> collectAsList() {
    return session.collect(step);
  }

  /** How many rows a dataset over static tables has. */
  public long count() {
    Dataset<Row> counted = agg(functions.count(functions.lit(1)).as("count"));
    return counted.collectAsList().get(0).getLong(0);
  }

  public boolean isEmpty() {
    return limit(1).collectAsList().isEmpty();
  }

  /** The first rows of a dataset over static tables. */
  public List<Row> takeAsList(int rows) {
    return limit(rows).collectAsList();
  }

  /** Prints the first 20 rows of a dataset over static tables. */
  public void show() {
    show(20);
  }

  public void show(int rows) {
    out().print(RowsTable.of(columns(), takeAsList(rows)));
  }
}
