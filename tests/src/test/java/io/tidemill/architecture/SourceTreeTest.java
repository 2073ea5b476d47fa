package io.tidemill.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SourceTreeTest {
  private static final int LINES_MAX = 400;
  private static final Pattern CODE = Pattern.compile("`([^`\\s]+)`");

  @Test
  void noSourceFileIsLongerThanAScreenOrThree() {
    List<String> tooLong = new ArrayList<>();
    for (Path file : SourceTree.files(".java")) {
      long lines = SourceTree.text(file).lines().count();
      if (lines > LINES_MAX) {
        tooLong.add(SourceTree.root().relativize(file) + " " + lines);
      }
    }
    assertThat(tooLong).isEmpty();
  }

  @Test
  void classesAndPathsThatDocumentsNameExist() {
    Set<String> classes =
        SourceTree.files(".java").stream()
            .map(p -> p.getFileName().toString().replace(".java", ""))
            .collect(Collectors.toSet());
    List<String> missing = new ArrayList<>();
    for (Path document : SourceTree.files(".md")) {
      if (document.toString().contains("src/test/resources")) {
        continue;
      }
      Matcher code = CODE.matcher(SourceTree.text(document));
      while (code.find()) {
        String name = code.group(1);
        boolean isPath = name.matches("[a-z][a-z0-9-]*(/[A-Za-z0-9._-]+)*/");
        boolean isSource =
            name.matches("[a-z][A-Za-z0-9-]*/[A-Za-z0-9._/-]+\\.(java|sql|md|xml|yaml)");
        boolean pathMissing =
            (isPath || isSource) && !Files.exists(SourceTree.root().resolve(name));
        boolean classMissing =
            name.matches("[A-Z][a-z0-9]+([A-Z][a-z0-9]+)+\\.java")
                && !classes.contains(name.replace(".java", ""));
        if (pathMissing || classMissing) {
          missing.add(SourceTree.root().relativize(document) + ": " + name);
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void noTestIsSwitchedOff() {
    List<String> off = new ArrayList<>();
    for (Path file : SourceTree.files(".java")) {
      String text = SourceTree.text(file);
      boolean self = file.endsWith("SourceTreeTest.java");
      if (!self && (text.contains("@Disabled") || text.contains("Thread.sleep("))) {
        off.add(SourceTree.root().relativize(file).toString());
      }
    }
    assertThat(off).isEmpty();
  }
}
