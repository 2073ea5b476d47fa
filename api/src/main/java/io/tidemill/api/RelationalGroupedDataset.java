package io.tidemill.api;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Rows of a dataset grouped by keys; the result has a row for each group, keys first. */
public final class RelationalGroupedDataset {
  private static final Pattern NUMBER =
      Pattern.compile("(TINY|SMALL|BIG|HUGE)INT|INTEGER|FLOAT|DOUBLE|DECIMAL.*");

  private final Dataset<?> dataset;
  private final Grouping grouping;
  private final List<Column> keys;

  RelationalGroupedDataset(Dataset<?> dataset, Grouping grouping, List<Column> keys) {
    this.dataset = dataset;
    this.grouping = grouping;
    this.keys = keys;
  }

  /** The keys, and aggregates such as {@code sum("amount").as("revenue")}. */
  public Dataset<Row> agg(Column first, Column... more) {
    List<Column> aggregates = new ArrayList<>(List.of(first));
    aggregates.addAll(Arrays.asList(more));
    return aggregated(aggregates);
  }

  /** The keys, and for each column the aggregate function of that name. */
  public Dataset<Row> agg(Map<String, String> functionsByColumn) {
    List<Column> aggregates = new ArrayList<>();
    functionsByColumn.forEach((column, name) -> aggregates.add(functions.aggregate(name, column)));
    return aggregated(aggregates);
  }

  private Dataset<Row> aggregated(List<Column> aggregates) {
    Step grouped =
        new Transformations(dataset.session().queries(), dataset.step())
            .grouped(grouping, keys, aggregates);
    return new Dataset<>(dataset.session(), grouped);
  }

  /** The number of rows of each group, as {@code count}. */
  public Dataset<Row> count() {
    return agg(functions.count("*").as("count"));
  }

  public Dataset<Row> sum(String... columns) {
    return each(columns, functions::sum);
  }

  public Dataset<Row> avg(String... columns) {
    return each(columns, functions::avg);
  }

  public Dataset<Row> mean(String... columns) {
    return avg(columns);
  }

  public Dataset<Row> min(String... columns) {
    return each(columns, functions::min);
  }

  public Dataset<Row> max(String... columns) {
    return each(columns, functions::max);
  }

  /** Without columns, all numbers are meant. */
  private Dataset<Row> each(String[] columns, Function<String, Column> aggregate) {
    List<String> names =
        columns.length > 0
            ? List.of(columns)
            : dataset.schema().columns().stream()
                .filter(c -> NUMBER.matcher(c.type()).matches())
                .map(io.tidemill.protocol.schema.Column::name)
                .toList();
    return aggregated(names.stream().map(aggregate).toList());
  }
}
