package io.tidemill.shapes;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A streamed result is what plain DuckDB gives over the whole input, whatever the batches and the
 * shards. {@code -Dshapes.only=} runs shapes whose name contains a text.
 */
@Execution(ExecutionMode.CONCURRENT)
class ShapesTest {
  private static final String ONLY = System.getProperty("shapes.only", "");

  @TempDir static Path directory;
  private static Reference reference;

  @BeforeAll
  static void makeInput() throws SQLException, IOException {
    reference = Reference.over(directory.resolve("input"));
  }

  @AfterAll
  static void closeInput() throws SQLException {
    reference.close();
  }

  @TestFactory
  Stream<DynamicContainer> streamedResultIsThatOfTheWholeInput() {
    return Shape.files().stream()
        .map(
            file ->
                DynamicContainer.dynamicContainer(
                    file,
                    Shape.read(file).stream()
                        .filter(s -> s.name().contains(ONLY))
                        .map(s -> DynamicTest.dynamicTest(s.name(), () -> check(file, s)))));
  }

  private static void check(String file, Shape shape)
      throws SQLException, IOException, InterruptedException {
    String name = (file + "-" + shape.name()).replaceAll("[^A-Za-z0-9]+", "-");
    ShapeRun run = new ShapeRun(shape, reference, directory.resolve(name));
    List<Map<String, Object>> rows = run.run();
    String views =
        shape.views().isEmpty() || shape.reference().startsWith("WITH")
            ? ""
            : "WITH "
                + String.join(
                    ", ",
                    shape.views().stream().map(v -> v.replaceFirst(" AS ", " AS (") + ")").toList())
                + " ";
    Schema columns;
    List<List<Object>> expected;
    synchronized (reference) {
      if (shape.reference().contains("judged")) {
        reference.judge(run.batches());
      }
      columns = reference.columns(views + shape.reference());
      expected = reference.rows(views + shape.reference());
    }
    String how = Seed.text() + "\n" + run.log() + "\n" + shape.query() + "\n";
    assertThat(shape(run.output(), shape.typed())).as(how).isEqualTo(shape(columns, shape.typed()));
    assertThat(expected.isEmpty())
        .as("a reference without rows checks little")
        .isEqualTo(shape.empty());
    assertThat(Rows.differences(shape, columns.names(), expected, Rows.settled(shape, rows)))
        .as(how)
        .isEmpty();
  }

  private static List<String> shape(Schema schema, boolean typed) {
    List<String> columns = new ArrayList<>();
    for (Column column : schema.columns()) {
      // Sinks take no HUGEINT.
      String type =
          column.type().replace("UHUGEINT", "HUGEINT").replace("HUGEINT", "DECIMAL(38,0)");
      columns.add(column.name() + (typed ? " " + type : ""));
    }
    return columns;
  }
}
