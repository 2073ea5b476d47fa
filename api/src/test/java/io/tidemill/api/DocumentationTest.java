package io.tidemill.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/java-api.md shows is what there is. */
class DocumentationTest {
  private static final Path PAGE = Path.of("..", "docs", "java-api.md");
  private static final Pattern BLOCK = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

  @TempDir private Path directory;

  private static List<String> blocks() throws IOException {
    List<String> blocks = new ArrayList<>();
    Matcher m = BLOCK.matcher(Files.readString(PAGE));
    while (m.find()) {
      blocks.add(m.group(1));
    }
    return blocks;
  }

  @Test
  void theJobOfThePageIsTheExampleThatRuns() throws IOException {
    assertThat(blocks().get(0)).isEqualTo(Files.readString(CompiledJar.example("RevenueJob")));
  }

  @Test
  void theOtherProgramsOfThePageCompile() throws IOException {
    List<String> blocks = blocks();
    assertThat(blocks).hasSizeGreaterThan(4);
    StringBuilder source =
        new StringBuilder(
            """
            import static io.tidemill.api.functions.*;
            import io.tidemill.api.*;
            import io.tidemill.orchestrator.StreamingQuery;
            import java.util.List;
            import java.util.Map;

            public class Page {
              Session session;
            """);
    for (int i = 1; i < blocks.size(); i++) {
      source.append("void block").append(i).append("() throws Exception {\n");
      source.append(blocks.get(i)).append("}\n");
    }
    Path file = CompiledJar.source(directory, "Page", source.append("}\n").toString());
    assertThat(CompiledJar.of(directory, file)).exists();
  }
}
