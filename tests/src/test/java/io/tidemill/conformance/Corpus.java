package io.tidemill.conformance;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The recorded corpus, in the test resources. */
final class Corpus {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private Corpus() {}

  /** All scenarios, each with the better expectation in place of Spark's where there is one. */
  static List<JsonNode> scenarios() {
    List<JsonNode> scenarios = new ArrayList<>();
    for (Path file : files("conformance/scenarios")) {
      Path better = directory("conformance/better").resolve(file.getFileName().toString());
      scenarios.add(read(Files.exists(better) ? better : file));
    }
    return scenarios;
  }

  static JsonNode legality() {
    return read(directory("conformance").resolve("legality.json"));
  }

  /** Names in a list file: one a line, what is behind a blank is a reason. */
  static Set<String> names(String list) {
    try (Stream<String> lines = Files.lines(directory("conformance").resolve(list))) {
      return lines
          .filter(l -> !l.isBlank() && !l.startsWith("#"))
          .map(l -> l.split(" ", 2)[0])
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> files(String name) {
    try (Stream<Path> files = Files.list(directory(name))) {
      return files.filter(f -> f.toString().endsWith(".json")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path directory(String name) {
    try {
      return Path.of(Corpus.class.getResource("/" + name).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode read(Path file) {
    try {
      return MAPPER.readTree(file.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
