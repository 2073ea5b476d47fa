package io.tidemill.query.compile;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.query.plan.SourcePlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Which rows move the watermark. A case in watermark-conditions.txt is a mode and a query, a line
 * of dashes, and one line per source and condition; the conditions are those that Spark 4.2.0's
 * optimizer has below the watermark for the same query.
 */
class WatermarkConditionsTest {

  @TestFactory
  Stream<DynamicTest> conditionsThatDoNotUseTheEventTimeDecide() {
    List<DynamicTest> tests = new ArrayList<>();
    for (String text : read().split("\n\n", -1)) {
      String[] parts = text.strip().split("\n----\n?", -1);
      if (parts[0].isEmpty() || parts[0].startsWith("#")) {
        continue;
      }
      String query = parts[0].replace('\n', ' ');
      List<String> expected =
          parts[1].lines().map(String::strip).filter(l -> !l.isEmpty()).toList();
      tests.add(
          DynamicTest.dynamicTest(
              query,
              () -> assertThat(conditions(query)).containsExactlyInAnyOrderElementsOf(expected)));
    }
    return tests.stream();
  }

  private static List<String> conditions(String query) {
    int mode = query.indexOf(' ');
    List<String> found = new ArrayList<>();
    for (SourcePlan source :
        Jobs.plan(query.substring(0, mode), query.substring(mode + 1)).sources()) {
      for (String condition : source.watermarkConditions()) {
        found.add(source.stream() + ": " + condition.replace(SourcePlan.ROW + ".", ""));
      }
    }
    return found;
  }

  private static String read() {
    try {
      return Files.readString(
          Path.of(WatermarkConditionsTest.class.getResource("watermark-conditions.txt").toURI()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
