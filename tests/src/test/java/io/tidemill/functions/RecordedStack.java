package io.tidemill.functions;

import io.tidemill.infra.Call;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Recorded calls, as they would be in the stack of the templates. */
final class RecordedStack {
  private static final String ACCOUNT = ":us-east-1:123456789012:";
  private static final String SECRET_SUFFIX = "-AbCdEf";

  private final Map<String, String> names;

  /**
   * @param names of buckets, tables and functions in the templates, by those of the run
   */
  RecordedStack(Map<String, String> names) {
    this.names = Map.copyOf(names);
  }

  /** The calls of one function, each once. */
  List<Call> calls(Path recorded, String function) {
    Set<String> lines = new TreeSet<>();
    try {
      lines.addAll(Files.readAllLines(recorded));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<Call> calls = new ArrayList<>();
    for (String line : lines) {
      String[] parts = line.split("\t", -1);
      if (parts[0].equals(function)) {
        String service = parts[1].substring(0, parts[1].indexOf(':'));
        calls.add(Call.of(parts[1], arn(service, parts[2])));
      }
    }
    return calls;
  }

  private String arn(String service, String about) {
    return switch (service) {
      case "s3" -> {
        int slash = about.indexOf('/');
        String key = slash < 0 ? "" : about.substring(slash);
        yield "arn:aws:s3:::" + named(about.substring(0, about.length() - key.length())) + key;
      }
      case "dynamodb" -> "arn:aws:dynamodb" + ACCOUNT + "table/" + named(about);
      case "lambda" -> {
        // A name or an ARN, either with an alias.
        String[] parts = about.replaceFirst("^arn:.*:function:", "").split(":", -1);
        yield "arn:aws:lambda" + ACCOUNT + "function:" + named(parts[0]) + ":" + parts[1];
      }
      case "secretsmanager" -> secretArn(about);
      case "ssm" -> "arn:aws:ssm" + ACCOUNT + "parameter" + about;
      default -> throw new IllegalArgumentException("the service " + service + " is not known");
    };
  }

  /** Secrets Manager adds six signs to the name that a secret is asked for by. */
  static String secretArn(String name) {
    return "arn:aws:secretsmanager" + ACCOUNT + "secret:" + name + SECRET_SUFFIX;
  }

  /** A bucket of the same name is one that a parameter of the stack names. */
  private String named(String name) {
    return names.getOrDefault(name, name);
  }
}
