package io.tidemill.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The alarms of a query, and the metrics that functions must send for them. */
final class AlarmsTest {
  private static final Path DEPLOY = Path.of("..", "docs", "deploy.md");
  private static final Map<String, Object> PARAMETERS =
      Map.ofEntries(
          Map.entry("StackName", "tidemill"),
          Map.entry("Query", "revenue"),
          Map.entry("Job", "revenue.sql"),
          Map.entry("Schedule", "rate(15 minutes)"),
          Map.entry("ExpectSeconds", 900),
          Map.entry("BacklogMillis", 900_000),
          Map.entry("OrchestratorArn", "arn:orchestrator"),
          Map.entry("ScheduleGroup", "tidemill"),
          Map.entry("ScheduleRoleArn", "arn:role"),
          Map.entry("DeadLettersArn", "arn:queue"),
          Map.entry("MetricsNamespace", "Tidemill"),
          Map.entry("Alarms", "true"),
          Map.entry("AlarmTopicArn", "arn:topic"));

  private static Map<String, Map<String, Object>> alarms(Map<String, Object> changed) {
    Map<String, Object> parameters = new LinkedHashMap<>(PARAMETERS);
    parameters.putAll(changed);
    return new Stack(TemplateFile.read(Path.of("query.yaml")), parameters)
        .resources("AWS::CloudWatch::Alarm");
  }

  @Test
  void fiveConditionsAreToldApartByAMetricEach() {
    assertThat(alarms(Map.of()))
        .containsOnlyKeys(
            "OrchestratorNotRunning",
            "QueryFailed",
            "SourceInaccessible",
            "ProducersIdle",
            "SlowButProgressing");
    assertThat(alarms(Map.of()).values())
        .extracting(alarm -> alarm.get("MetricName"))
        .doesNotHaveDuplicates()
        .doesNotContainNull();
  }

  @Test
  void onlySilenceOfAllRunsIsAnAlarmByItself() {
    alarms(Map.of())
        .forEach(
            (id, alarm) ->
                assertThat(alarm.get("TreatMissingData"))
                    .as(id)
                    .isEqualTo(id.equals("OrchestratorNotRunning") ? "breaching" : "notBreaching"));
  }

  @Test
  void alarmsGoToTheTopicAndAreOfTheQuery() {
    assertThat(alarms(Map.of()).values())
        .allSatisfy(
            alarm -> {
              assertThat(alarm.get("AlarmActions")).isEqualTo(List.of("arn:topic"));
              assertThat(alarm.get("Namespace")).isEqualTo("Tidemill");
              assertThat(alarm.get("Dimensions"))
                  .isEqualTo(List.of(Map.of("Name", "Query", "Value", "revenue")));
              assertThat(alarm.get("AlarmName").toString()).startsWith("tidemill-revenue-");
            });
    assertThat(alarms(Map.of("AlarmTopicArn", "")).values())
        .noneMatch(alarm -> alarm.containsKey("AlarmActions"));
  }

  @Test
  void aRareQueryHasNoAlarmForNotRunning() {
    assertThat(alarms(Map.of("ExpectPeriods", 0)))
        .hasSize(4)
        .doesNotContainKey("OrchestratorNotRunning");
    assertThat(alarms(Map.of("Alarms", "false"))).isEmpty();
  }

  @Test
  void everyMetricLookedAtIsDocumented() throws IOException {
    Set<String> documented = new TreeSet<>();
    Files.readAllLines(DEPLOY).stream()
        .filter(line -> line.matches("\\| `.*\\| (Count|Milliseconds) \\|.*"))
        .forEach(line -> names("`([A-Za-z]+)`", line.split("\\|", 3)[1], documented));
    Set<String> used = new TreeSet<>();
    alarms(Map.of()).values().forEach(alarm -> used.add(alarm.get("MetricName").toString()));
    names("MetricName=\\\\\"([A-Za-z]+)", Files.readString(Path.of("dashboard.yaml")), used);
    assertThat(used).hasSizeGreaterThan(5);
    assertThat(documented).containsAll(used);
  }

  private static void names(String pattern, String text, Set<String> found) {
    Matcher name = Pattern.compile(pattern).matcher(text);
    while (name.find()) {
      found.add(name.group(1));
    }
  }
}
