package io.tidemill.host;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Functions by name. Thread-safe. */
final class Deployments implements AutoCloseable {
  /** A name, or an ARN in whole or from the account on, each with or without a qualifier. */
  private static final Pattern NAMED =
      Pattern.compile(
          "(?:(?:arn:aws[a-z-]*:lambda:[a-z0-9-]+:)?\\d{12}:function:)?([A-Za-z0-9_-]+)"
              + "(?::([$A-Za-z0-9_-]+))?");

  private final String region;
  private final Map<String, Function> functions = new ConcurrentHashMap<>();

  Deployments(String region) {
    this.region = region;
  }

  /**
   * A function as a caller named it.
   *
   * @param arn with the qualifier, if there was one
   */
  record Target(Function function, String arn) {}

  void put(Function function) {
    Function before = functions.put(function.spec().name(), function);
    if (before != null) {
      before.close();
    }
  }

  /** The function, if there is one that knows the qualifier. */
  Optional<Target> find(String named, Optional<String> qualifier) {
    Matcher parts = NAMED.matcher(named);
    if (!parts.matches()) {
      return Optional.empty();
    }
    Optional<String> version = qualifier.or(() -> Optional.ofNullable(parts.group(2)));
    return Optional.ofNullable(functions.get(parts.group(1)))
        .filter(f -> f.spec().knows(version.orElse("$LATEST")))
        .map(
            f ->
                new Target(
                    f,
                    ProcessLine.arn(region, f.spec().name())
                        + version.map(v -> ":" + v).orElse("")));
  }

  @Override
  public void close() {
    functions.values().forEach(Function::close);
  }
}
