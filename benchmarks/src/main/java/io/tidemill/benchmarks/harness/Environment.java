package io.tidemill.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** What the figures were measured on. */
public final class Environment {
  private Environment() {}

  /** One line per fact. */
  public static List<String> lines() throws IOException {
    return List.of(
        "processor  " + fact("/proc/cpuinfo", "model name"),
        "cores      " + Runtime.getRuntime().availableProcessors(),
        "memory     " + fact("/proc/meminfo", "MemTotal"),
        "load       " + Files.readString(Path.of("/proc/loadavg")).strip(),
        "system     " + System.getProperty("os.name") + " " + System.getProperty("os.version"),
        String.format(
            Locale.ROOT,
            "java       %s %s",
            System.getProperty("java.vm.name"),
            System.getProperty("java.runtime.version")));
  }

  private static String fact(String file, String name) throws IOException {
    return Files.readAllLines(Path.of(file)).stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("unknown");
  }
}
