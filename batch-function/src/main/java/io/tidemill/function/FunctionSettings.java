package io.tidemill.function;

import io.tidemill.state.StateSettings;

/**
 * Settings of one function instance.
 *
 * @param memoryBytes memory DuckDB may use before it spills to disk; 0 for its own choice, 80 % of
 *     the machine
 * @param state when state files are rewritten
 */
public record FunctionSettings(long memoryBytes, StateSettings state) {
  public static final FunctionSettings STANDARD = new FunctionSettings(0, StateSettings.DEFAULT);

  public FunctionSettings {
    if (memoryBytes < 0) {
      throw new IllegalArgumentException("memory must not be negative: " + memoryBytes);
    }
  }
}
