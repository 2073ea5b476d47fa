package io.tidemill.api;

import io.tidemill.protocol.Ids;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.job.Variables;
import java.io.PrintStream;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a session is to be. */
public final class SessionBuilder {
  private static final Pattern MASTER = Pattern.compile("local(?:\\[(\\d{1,4}|\\*)])?");

  private final InstantSource clock;
  private final Ids ids;
  private final PrintStream console;
  private final Variables variables;
  private final Map<String, Object> settings = new LinkedHashMap<>();
  private int parallelism = Runtime.getRuntime().availableProcessors();

  SessionBuilder(InstantSource clock, Ids ids, PrintStream console, Variables variables) {
    this.clock = clock;
    this.ids = ids;
    this.console = console;
    this.variables = variables;
  }

  InstantSource clock() {
    return clock;
  }

  Ids ids() {
    return ids;
  }

  PrintStream console() {
    return console;
  }

  Variables variables() {
    return variables;
  }

  Map<String, Object> settings() {
    return settings;
  }

  int parallelism() {
    return parallelism;
  }

  /** Accepted for programs written for Spark; nothing depends on it. */
  public SessionBuilder appName(String name) {
    return this;
  }

  /** How many functions run side by side: {@code local[4]}, or {@code local[*]} for all cores. */
  public SessionBuilder master(String master) {
    Matcher m = MASTER.matcher(master.strip());
    if (!m.matches() || "0".equals(m.group(1))) {
      throw new TidemillException(
              ErrorCode.INVALID_OPTION,
              "A session runs in its process: local, local[4] or local[*].")
          .with("master", master);
    }
    if (m.group(1) == null) {
      parallelism = 1;
    } else if (!m.group(1).equals("*")) {
      parallelism = Integer.parseInt(m.group(1));
    }
    return this;
  }

  /** A setting, as {@link Settings#set} takes it. */
  public SessionBuilder config(String name, Object value) {
    settings.put(name, value);
    return this;
  }

  /** A new session; each call gives another. */
  public Session getOrCreate() {
    return new Session(this, Optional.empty());
  }
}
