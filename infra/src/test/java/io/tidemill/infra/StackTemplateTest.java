package io.tidemill.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** On the templates that are deployed. */
final class StackTemplateTest {
  private static final Path TEMPLATE = Path.of("..", "sam-template.yaml");
  private static final String FUNCTION = "arn:aws:lambda:us-east-1:123456789012:function:";

  /** Everything that can be asked for. */
  private static final Map<String, String> ALL =
      Map.ofEntries(
          Map.entry("Jobs", "bucket"),
          Map.entry("KmsKeyArn", "arn:aws:kms:us-east-1:123456789012:key/k"),
          Map.entry("SourceBucket", "source"),
          Map.entry("SinkBucket", "sink"),
          Map.entry(
              "SecretArns",
              "arn:aws:secretsmanager:us-east-1:123456789012:secret:a-x,"
                  + "arn:aws:secretsmanager:us-east-1:123456789012:secret:b-x"),
          Map.entry("ParameterPrefix", "/tidemill"),
          Map.entry("MskClusterArn", "arn:aws:kafka:us-east-1:123456789012:cluster/c/u-1"),
          Map.entry("KafkaSourceTopics", "orders"),
          Map.entry("KafkaSinkTopics", "revenue"),
          Map.entry("SubnetIds", "subnet-1,subnet-2"),
          Map.entry("SecurityGroupIds", "sg-1"));

  private static final Permissions DEFAULT = Permissions.of(TEMPLATE, Map.of());
  private static final Permissions FULL = Permissions.of(TEMPLATE, ALL);

  private static Stream<Grant> allowing(Permissions permissions) {
    return permissions.roles().stream()
        .flatMap(role -> permissions.grants(role).stream())
        .filter(Grant::isAllowing);
  }

  @Test
  void aRoleForEachFunctionAndOneForSchedules() {
    assertThat(DEFAULT.roles())
        .containsExactlyInAnyOrder("BatchRole", "OrchestratorRole", "ScheduleRole");
    assertThat(FULL.roles()).isEqualTo(DEFAULT.roles());
  }

  @Test
  void noActionIsAPattern() {
    assertThat(allowing(FULL)).isNotEmpty();
    assertThat(allowing(FULL).flatMap(g -> g.actions().stream()))
        .noneMatch(action -> action.contains("*"));
  }

  @Test
  void onlyTheNetworkInterfacesOfLambdaAreOnAnyResource() {
    assertThat(allowing(DEFAULT).flatMap(g -> g.resources().stream())).doesNotContain("*");
    assertThat(allowing(FULL).filter(g -> g.resources().contains("*")))
        .extracting(Grant::id)
        .containsOnly("PlatformNetwork");
  }

  @Test
  void theFunctionsReachOnlyTheirOwnBucketAndTablesUnlessAsked() {
    Set<String> reached =
        allowing(DEFAULT).flatMap(g -> g.resources().stream()).collect(Collectors.toSet());
    assertThat(reached.stream().filter(r -> r.contains(":s3:")))
        .allMatch(r -> r.startsWith("arn:aws:s3:::Bucket"));
    assertThat(reached.stream().filter(r -> r.contains(":dynamodb:")))
        .allMatch(r -> r.endsWith("table/CheckpointTable") || r.endsWith("table/StateTable"));
  }

  @Test
  void onlyTheOrchestratorInvokesAndOnlyPublishedVersions() {
    List<Call> task = List.of(Call.of("lambda:Invoke", FUNCTION + "tidemill-batch-arm64:live"));
    List<Call> itself =
        List.of(Call.of("lambda:Invoke", FUNCTION + "tidemill-orchestrator-arm64:live"));
    List<Call> unpublished = List.of(Call.of("lambda:Invoke", FUNCTION + "tidemill-batch-arm64"));
    assertThat(DEFAULT.missing("OrchestratorRole", task)).isEmpty();
    assertThat(DEFAULT.missing("OrchestratorRole", itself)).isEmpty();
    assertThat(DEFAULT.missing("OrchestratorRole", unpublished)).hasSize(1);
    assertThat(DEFAULT.missing("BatchRole", task)).hasSize(1);
  }

  @Test
  void onlyTheOrchestratorDeletesAndATaskOnlyLargeRowsOfItemState() {
    List<Call> state =
        List.of(Call.of("s3:DeleteObject", "arn:aws:s3:::Bucket/checkpoints/revenue/state/x"));
    assertThat(FULL.missing("OrchestratorRole", state)).isEmpty();
    assertThat(FULL.missing("BatchRole", state)).hasSize(1);
    List<Call> row =
        List.of(Call.of("s3:DeleteObject", "arn:aws:s3:::Bucket/checkpoints/revenue/items/q/0/x"));
    assertThat(FULL.missing("BatchRole", row)).isEmpty();
  }

  @Test
  void whatIsPublishedInAnotherBucketNobodyMayDelete() {
    String target = "arn:aws:s3:::sink/revenue/";
    List<Call> published = List.of(Call.of("s3:DeleteObject", target + "part-0.parquet"));
    List<Call> staged = List.of(Call.of("s3:DeleteObject", target + "_tidemill/staging/a/0"));
    assertThat(FULL.missing("OrchestratorRole", published)).hasSize(1);
    assertThat(FULL.missing("OrchestratorRole", staged)).isEmpty();
    assertThat(FULL.missing("BatchRole", staged)).hasSize(1);
  }

  @Test
  void tablesAreFoundByTheirKeys() {
    assertThat(DeployedTables.keys(TEMPLATE, Map.of()))
        .containsEntry("CheckpointTable", List.of("id HASH"))
        .containsEntry("StateTable", List.of("p HASH", "s RANGE"));
  }

  @Test
  void functionsReadJobsInTheBucketAndNeverWriteThem() {
    for (String role : List.of("BatchRole", "OrchestratorRole")) {
      String job = "arn:aws:s3:::Bucket/jobs/revenue.sql";
      assertThat(FULL.missing(role, List.of(Call.of("s3:GetObject", job)))).isEmpty();
      assertThat(FULL.missing(role, List.of(Call.of("s3:PutObject", job)))).hasSize(1);
      assertThat(DEFAULT.missing(role, List.of(Call.of("s3:GetObject", job)))).hasSize(1);
    }
  }

  @Test
  void secretsAreReadOnlyIfNamed() {
    List<Call> named =
        List.of(
            Call.of(
                "secretsmanager:GetSecretValue",
                "arn:aws:secretsmanager:us-east-1:123456789012:secret:b-x"),
            Call.of(
                "ssm:GetParameter",
                "arn:aws:ssm:us-east-1:123456789012:parameter/tidemill/password"));
    List<Call> other =
        List.of(
            Call.of(
                "secretsmanager:GetSecretValue",
                "arn:aws:secretsmanager:us-east-1:123456789012:secret:c-x"),
            Call.of("ssm:GetParameter", "arn:aws:ssm:us-east-1:123456789012:parameter/tidemills"));
    assertThat(FULL.missing("BatchRole", named)).isEmpty();
    assertThat(FULL.missing("BatchRole", other)).hasSize(2);
    assertThat(DEFAULT.missing("BatchRole", named)).hasSize(2);
  }

  @Test
  void topicsOfTheClusterAreNamedAsBrokersKnowThem() {
    assertThat(FULL.grants("BatchRole"))
        .filteredOn(g -> g.id().equals("PlatformKafkaSource"))
        .singleElement()
        .extracting(Grant::resources)
        .isEqualTo(List.of("arn:aws:kafka:us-east-1:123456789012:topic/c/u-1/orders"));
    assertThat(FULL.grants("OrchestratorRole"))
        .filteredOn(g -> g.id().equals("PlatformKafkaTransaction"))
        .singleElement()
        .extracting(Grant::resources)
        .isEqualTo(
            List.of("arn:aws:kafka:us-east-1:123456789012:transactional-id/c/u-1/tidemill-*"));
  }

  @Test
  void eachFunctionIsToldWhatItIsAndWhereThingsAre() {
    Map<String, Map<String, String>> functions =
        DeployedFunctions.variables(TEMPLATE, Map.of("Architecture", "x86_64"));
    assertThat(functions).containsOnlyKeys("BatchFunctionX86", "OrchestratorX86");
    assertThat(functions.get("BatchFunctionX86"))
        .containsEntry("QUARKUS_LAMBDA_HANDLER", "task")
        .containsEntry("TIDEMILL_JOBS", "/opt/jobs")
        .containsEntry("TIDEMILL_CHECKPOINT_TABLE", "CheckpointTable")
        .doesNotContainKeys("TIDEMILL_BATCH_FUNCTION", "TIDEMILL_METRICS_NAMESPACE");
    assertThat(functions.get("OrchestratorX86"))
        .containsEntry("QUARKUS_LAMBDA_HANDLER", "orchestrator")
        .containsEntry("TIDEMILL_BATCH_FUNCTION", "BatchFunctionX86.Alias")
        .containsEntry("OUT", "s3://Bucket/out");
    assertThat(DeployedFunctions.variables(TEMPLATE, ALL).get("BatchFunctionArm64"))
        .containsEntry("TIDEMILL_JOBS", "s3://Bucket/jobs/");
  }
}
