package io.tidemill.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.infra.DeployedFunctions;
import io.tidemill.lambda.platform.FunctionEnvironment;
import io.tidemill.storage.aws.AwsSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the template tells the functions, against what they read. */
class StackVariablesTest {
  private static final Path TEMPLATE = Path.of("..", "sam-template.yaml");

  private static Map<String, Map<String, String>> functions(Map<String, String> parameters) {
    return DeployedFunctions.variables(TEMPLATE, parameters);
  }

  @ParameterizedTest
  @ValueSource(strings = {"arm64", "x86_64"})
  void everySettingOfTheFunctionsCanBeGivenAndNoOther(String architecture) {
    Set<String> told = new TreeSet<>();
    functions(Map.of("Architecture", architecture, "StateDays", "30", "MetricsNamespace", "Own"))
        .values()
        .forEach(variables -> told.addAll(variables.keySet()));
    told.removeIf(name -> !name.startsWith("TIDEMILL_"));
    assertThat(told).containsExactlyInAnyOrderElementsOf(FunctionEnvironment.names());
  }

  @ParameterizedTest
  @ValueSource(strings = {"arm64", "x86_64"})
  void parametersHaveTheDefaultsOfTheCode(String architecture) {
    functions(Map.of("Architecture", architecture))
        .forEach(
            (function, variables) -> {
              FunctionEnvironment told = FunctionEnvironment.of(variables);
              FunctionEnvironment standard = FunctionEnvironment.of(Map.of());
              assertThat(told)
                  .as(function)
                  .usingRecursiveComparison()
                  .ignoringFields("jobs", "batchFunction", "taskTimeoutSeconds")
                  .isEqualTo(standard);
            });
  }

  @Test
  void tasksAreAwaitedAsLongAsTheFunctionMayRun() {
    assertThat(
            FunctionEnvironment.of(
                    functions(Map.of("BatchTimeoutSeconds", "77")).get("OrchestratorArm64"))
                .taskTimeoutSeconds())
        .isEqualTo(77);
  }

  @Test
  void stateItemsExpireOnlyIfAsked() {
    assertThat(AwsSettings.of(functions(Map.of()).get("BatchFunctionArm64")::get).stateTimeToLive())
        .isEmpty();
    assertThat(
            AwsSettings.of(functions(Map.of("StateDays", "30")).get("BatchFunctionArm64")::get)
                .stateTimeToLive())
        .contains(Duration.ofDays(30));
  }
}
