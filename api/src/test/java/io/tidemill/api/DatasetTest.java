package io.tidemill.api;

import static io.tidemill.api.functions.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What transformations do, over rows in memory. */
class DatasetTest {
  private static Session session;
  private static Dataset<Row> orders;
  private static Dataset<Row> customers;

  @BeforeAll
  static void open() {
    session = Session.builder().master("local").getOrCreate();
    orders =
        session.createDataFrame(
            List.of(Row.of(1, "a", 10), Row.of(2, "b", 20), Row.of(3, "a", 30), Row.of(4, "z", 5)),
            "id INT, customer STRING, amount INT");
    customers =
        session.createDataFrame(
            List.of(Row.of("a", "Ada"), Row.of("b", "Bob"), Row.of("c", "Cy")),
            "customer STRING, name STRING");
  }

  @AfterAll
  static void close() {
    session.close();
  }

  private static List<String> rows(Dataset<?> dataset) {
    return dataset.collectAsList().stream().map(Row::toString).sorted().toList();
  }

  @Test
  void columnsAreSelectedAddedRenamedAndDropped() {
    assertThat(rows(orders.select("id", "amount").filter("amount > 15")))
        .containsExactly("[2,20]", "[3,30]");
    assertThat(rows(orders.where(col("customer").equalTo("a")).select(col("amount").as("v"))))
        .containsExactly("[10]", "[30]");
    Dataset<Row> doubled = orders.withColumn("twice", col("amount").multiply(2));
    assertThat(doubled.columns()).containsExactly("id", "customer", "amount", "twice");
    assertThat(orders.withColumn("AMOUNT", lit(0)).columns())
        .containsExactly("id", "customer", "AMOUNT");
    assertThat(orders.withColumnRenamed("amount", "v").columns())
        .containsExactly("id", "customer", "v");
    assertThat(orders.withColumnRenamed("none", "v").columns()).containsExactly(orders.columns());
    assertThat(orders.drop("id", "none").columns()).containsExactly("customer", "amount");
    assertThat(orders.toDF("a", "b", "c").columns()).containsExactly("a", "b", "c");
    assertThat(orders.dtypes())
        .containsExactly(
            Map.entry("id", "INTEGER"),
            Map.entry("customer", "VARCHAR"),
            Map.entry("amount", "INTEGER"));
  }

  @Test
  void groupsAreAggregated() {
    assertThat(rows(orders.groupBy("customer").count())).containsExactly("[a,2]", "[b,1]", "[z,1]");
    assertThat(rows(orders.groupBy(col("customer")).agg(sum("amount").as("s"), max("id"))))
        .containsExactly("[a,40,3]", "[b,20,2]", "[z,5,4]");
    assertThat(orders.groupBy("customer").sum().columns())
        .containsExactly("customer", "sum(id)", "sum(amount)");
    assertThat(orders.groupBy("customer").agg(Map.of("amount", "max")).columns())
        .containsExactly("customer", "max(amount)");
    assertThat(rows(orders.agg(sum("amount")))).containsExactly("[65]");
    assertThat(orders.groupBy("customer").agg(sum("amount").as("s")).dtypes())
        .containsEntry("s", "BIGINT");
    assertThat(rows(orders.rollup(col("customer")).agg(sum("amount"))))
        .containsExactly("[a,40]", "[b,20]", "[null,65]", "[z,5]");
  }

  @Test
  void rowsAreSortedAndLimited() {
    assertThat(orders.orderBy(col("amount").desc()).limit(2).collectAsList())
        .containsExactly(Row.of(3, "a", 30), Row.of(2, "b", 20));
    Dataset<Row> nulls =
        session.createDataFrame(List.of(Row.of(1), Row.of((Object) null)), "v INT");
    assertThat(nulls.sort("v").collectAsList()).containsExactly(Row.of((Object) null), Row.of(1));
    assertThat(nulls.sort(col("v").desc()).collectAsList())
        .containsExactly(Row.of(1), Row.of((Object) null));
  }

  @Test
  void duplicatesGo() {
    assertThat(orders.select("customer").distinct().count()).isEqualTo(3);
    assertThat(rows(orders.dropDuplicates("customer").select("customer")))
        .containsExactly("[a]", "[b]", "[z]");
    assertThatThrownBy(() -> orders.dropDuplicatesWithinWatermark("id"))
        .hasMessageContaining("for streams");
  }

  @Test
  void unionsGoByPositionOrByName() {
    Dataset<Row> a = session.createDataFrame(List.of(Row.of(1, 2)), "x INT, y INT");
    Dataset<Row> b = session.createDataFrame(List.of(Row.of(3, 4)), "y INT, x INT");
    assertThat(rows(a.union(b))).containsExactly("[1,2]", "[3,4]");
    assertThat(rows(a.unionByName(b))).containsExactly("[1,2]", "[4,3]");
    assertThat(rows(a.unionByName(b.drop("x").withColumn("z", lit(9)), true)))
        .containsExactly("[1,2,null]", "[null,3,9]");
    assertThatThrownBy(() -> a.unionByName(b.drop("x"))).hasMessageContaining("lacks a column");
    assertThatThrownBy(() -> a.union(b.drop("x"))).hasMessageContaining("as many columns");
  }

  @Test
  void joinsOnColumnsHaveThemOnce() {
    assertThat(rows(orders.join(customers, "customer").drop("amount")))
        .containsExactly("[a,1,Ada]", "[a,3,Ada]", "[b,2,Bob]");
    String[] key = {"customer"};
    assertThat(rows(orders.join(customers, key, "left_outer").select("id", "name")))
        .containsExactly("[1,Ada]", "[2,Bob]", "[3,Ada]", "[4,null]");
    assertThat(rows(orders.join(customers, key, "right").select("customer", "id")))
        .containsExactly("[a,1]", "[a,3]", "[b,2]", "[c,null]");
    assertThat(rows(orders.join(customers, key, "full").select("customer", "id")))
        .containsExactly("[a,1]", "[a,3]", "[b,2]", "[c,null]", "[z,4]");
    assertThat(rows(orders.join(customers, key, "left_semi").select("id")))
        .containsExactly("[1]", "[2]", "[3]");
    assertThat(rows(orders.join(customers, key, "leftanti").select("id"))).containsExactly("[4]");
    assertThat(orders.crossJoin(customers).count()).isEqualTo(12);
    assertThatThrownBy(() -> orders.join(customers, key, "lefty"))
        .hasMessageContaining("Did you mean 'left'?");
  }

  @Test
  void joinsOnConditionsTellEqualNamesApart() {
    Dataset<Row> joined =
        orders.join(customers, orders.col("customer").equalTo(customers.col("customer")));
    assertThat(joined.columns()).containsExactly("id", "customer", "amount", "customer", "name");
    assertThat(rows(joined.select(col("id"), customers.col("customer"))))
        .containsExactly("[1,a]", "[2,b]", "[3,a]");
    assertThat(joined.drop(customers.col("customer")).columns())
        .containsExactly("id", "customer", "amount", "name");
    assertThatThrownBy(() -> joined.select("customer")).hasMessageContaining("ambiguous");
    assertThat(joined.filter(orders.col("customer").equalTo("b")).drop("customer").columns())
        .containsExactly("id", "amount", "name");
  }

  @Test
  void aliasesTellDatasetsApart() {
    Dataset<Row> joined =
        orders.as("o").join(customers.as("c"), expr("o.customer = c.customer"), "left");
    assertThat(rows(joined.select(col("o.id"), col("c.name"))))
        .containsExactly("[1,Ada]", "[2,Bob]", "[3,Ada]", "[4,null]");
    assertThat(rows(joined.filter("c.name IS NULL").selectExpr("o.id + 1 AS next")))
        .containsExactly("[5]");
    assertThat(joined.select("c.*").columns()).containsExactly("customer", "name");
    Dataset<Row> self =
        orders.as("l").join(orders.as("r"), expr("l.id = r.id - 1")).select("l.id", "r.id");
    assertThat(rows(self)).containsExactly("[1,2]", "[2,3]", "[3,4]");
  }

  @Test
  void viewsAreNamesInSql() {
    orders.filter("amount > 5").createOrReplaceTempView("big");
    customers.createOrReplaceTempView("people");
    assertThat(
            rows(
                session.sql(
                    "SELECT p.name, sum(b.amount) AS s FROM Big b JOIN people p ON b.customer ="
                        + " p.customer GROUP BY p.name;")))
        .containsExactly("[Ada,40]", "[Bob,20]");
    assertThat(rows(session.sql("WITH big AS (SELECT 1 AS x) SELECT x FROM big")))
        .containsExactly("[1]");
    assertThat(session.table("big").count()).isEqualTo(3);
    assertThatThrownBy(() -> session.table("bigg")).hasMessageContaining("Did you mean 'big'?");
  }

  @Test
  void mistakesAreErrorsWhereTheyAreMade() {
    assertThatThrownBy(() -> orders.select("amont"))
        .isInstanceOfSatisfying(
            TidemillException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_NAME))
        .hasMessageContaining("Did you mean 'amount'?");
    assertThatThrownBy(() -> orders.filter("amont > 1")).hasMessageContaining("amont");
    assertThatThrownBy(() -> orders.filter("amount >")).hasMessageContaining("no SQL expression");
    assertThatThrownBy(() -> orders.selectExpr("id, amount")).hasMessageContaining("several");
    assertThatThrownBy(() -> orders.select(expr("sume(amount)")))
        .hasMessageContaining("Did you mean");
    assertThatThrownBy(() -> orders.col("none")).hasMessageContaining("no such column");
    assertThatThrownBy(() -> session.sql("SELECT * FROM read_csv('x')"))
        .hasMessageContaining("no table function");
    assertThatThrownBy(() -> orders.drop("id", "customer", "amount"))
        .hasMessageContaining("No column is left");
    assertThatThrownBy(orders::writeStream).hasMessageContaining("static tables only");
  }

  @Test
  void aSourceMakesOnlyTheColumnsThatAreUsed() {
    Dataset<Row> wide =
        orders.withColumn("unused", upper(col("customer"))).filter("amount > 1").select("id");
    assertThat(wide.toSql()).doesNotContain("unused", "customer").contains("\"amount\"");
    assertThat(rows(wide)).containsExactly("[1]", "[2]", "[3]", "[4]");
    assertThat(orders.withColumn("unused", lit(1)).agg(count("*")).toSql())
        .doesNotContain("unused");
  }

  @Test
  void resultsAreShownAsATable() {
    assertThat(
            RowsTable.of(
                new String[] {"id", "name"},
                List.of(Row.of(1, "Ada"), Row.of(20, "a name that is much too long"))))
        .isEqualTo(
            """
            +--+--------------------+
            |id|                name|
            +--+--------------------+
            | 1|                 Ada|
            |20|a name that is mu...|
            +--+--------------------+
            """);
    assertThat(orders.isEmpty()).isFalse();
    assertThat(orders.filter("false").isEmpty()).isTrue();
    assertThat(orders.sort("id").takeAsList(1)).containsExactly(Row.of(1, "a", 10));
  }
}
