package io.tidemill.infra;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.AbstractConstruct;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * A CloudFormation template in YAML. Short forms of functions are read as their long ones: {@code
 * !GetAtt A.B} as {@code {"Fn::GetAtt": "A.B"}}.
 */
final class TemplateFile {
  private final Path file;
  private final Map<String, Object> content;

  private TemplateFile(Path file, Map<String, Object> content) {
    this.file = file;
    this.content = content;
  }

  static TemplateFile read(Path file) {
    try {
      Yaml yaml = new Yaml(new Tags(new LoaderOptions()));
      return new TemplateFile(file, Values.map(yaml.load(Files.readString(file))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A section such as Resources; empty if the template has none. */
  Map<String, Object> section(String name) {
    return content.containsKey(name) ? Values.map(content.get(name)) : Map.of();
  }

  /** The template that a nested stack names, relative to this one. */
  TemplateFile nested(String url) {
    return read(file.resolveSibling(url));
  }

  @Override
  public String toString() {
    return file.getFileName().toString();
  }

  private static final class Tags extends SafeConstructor {
    Tags(LoaderOptions options) {
      super(options);
      yamlMultiConstructors.put(
          "!",
          new AbstractConstruct() {
            @Override
            public Object construct(Node node) {
              return function(node);
            }
          });
    }

    private Map<String, Object> function(Node node) {
      String name = node.getTag().getValue().substring(1);
      boolean isPlain = List.of("Ref", "Condition").contains(name);
      return Map.of(isPlain ? name : "Fn::" + name, argument(node));
    }

    private Object argument(Node node) {
      if (node instanceof ScalarNode scalar) {
        return constructScalar(scalar);
      }
      return node instanceof SequenceNode sequence
          ? constructSequence(sequence)
          : constructMapping((MappingNode) node);
    }
  }
}
