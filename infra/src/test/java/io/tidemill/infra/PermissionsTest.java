package io.tidemill.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** On templates whose rights are known. */
final class PermissionsTest {
  private static final String ORDERS = "arn:aws:s3:::Bucket/in/orders";
  private static final Map<String, String> EXTRA = Map.of("Extra", "yes", "Secrets", "arn:a,arn:b");

  private static Permissions with(Map<String, String> parameters) {
    try {
      Path stack = Path.of(PermissionsTest.class.getResource("stack.yaml").toURI());
      return Permissions.of(stack, parameters);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void rightsOfNestedStacksAreResolvedToArns() {
    assertThat(with(Map.of()).grants("Reader"))
        .extracting(Grant::id, Grant::actions, Grant::resources)
        .startsWith(
            tuple(
                "PlatformLogs",
                List.of("logs:PutLogEvents"),
                List.of("arn:aws:logs:us-east-1:123456789012:log-group:/x")),
            tuple(
                "Objects",
                List.of("s3:GetObject", "s3:PutObject"),
                List.of("arn:aws:s3:::Bucket/in/*")));
  }

  @Test
  void aPolicyIsThereOnlyIfItsConditionHolds() {
    assertThat(with(Map.of()).grants("Reader")).extracting(Grant::id).doesNotContain("Secrets");
    assertThat(with(EXTRA).grants("Reader"))
        .filteredOn(g -> g.id().equals("Secrets"))
        .singleElement()
        .extracting(Grant::resources)
        .isEqualTo(List.of("arn:a", "arn:b"));
    assertThat(with(EXTRA).grants("Reader"))
        .filteredOn(g -> g.id().equals("Topics"))
        .singleElement()
        .extracting(Grant::resources)
        .isEqualTo(List.of("a:topic/b"));
  }

  @Test
  void aCallNobodyAllowsIsMissing() {
    assertThat(with(Map.of()).missing("Reader", List.of(Call.of("dynamodb:PutItem"))))
        .containsExactly("dynamodb:PutItem on anything");
  }

  @Test
  void aCallOfAnotherResourceIsMissing() {
    List<Call> calls = List.of(Call.of("s3:PutObject", "arn:aws:s3:::Bucket/out/orders"));
    assertThat(with(Map.of()).missing("Reader", calls))
        .containsExactly("s3:PutObject on arn:aws:s3:::Bucket/out/orders");
  }

  @Test
  void operationsAreTakenForTheActionsIamAsksFor() {
    List<Call> calls =
        List.of(
            Call.of("s3:ListObjectsV2", "arn:aws:s3:::Bucket"),
            Call.of("s3:HeadObject", ORDERS),
            Call.of("s3:CopyObject", ORDERS));
    assertThat(with(Map.of()).missing("Reader", calls)).isEmpty();
    assertThat(Call.of("lambda:Invoke").actions()).containsExactly("lambda:InvokeFunction");
  }

  @Test
  void aDenialWinsOverARight() {
    List<Call> calls = List.of(Call.of("s3:GetObject", "arn:aws:s3:::Bucket/in/secret/x"));
    assertThat(with(Map.of()).missing("Reader", calls)).isEmpty();
    assertThat(with(EXTRA).missing("Reader", calls)).hasSize(1);
  }

  @Test
  void rightsUnderAConditionAndRightsOfThePlatformAllowNoCall() {
    List<Call> calls = List.of(Call.of("s3:DeleteObject", ORDERS), Call.of("logs:PutLogEvents"));
    assertThat(with(Map.of()).missing("Reader", calls))
        .containsExactly("logs:PutLogEvents on anything", "s3:DeleteObject on " + ORDERS);
  }

  @Test
  void aRightNoCallNeedsIsUnused() {
    assertThat(with(Map.of()).unused("Reader", List.of(Call.of("s3:GetObject", ORDERS))))
        .containsExactly(
            "Listing: s3:ListBucket on arn:aws:s3:::Bucket",
            "Objects: s3:PutObject on arn:aws:s3:::Bucket/in/*",
            "OnTuesdays: s3:DeleteObject on *");
  }

  @Test
  void aRightUsedOnAnotherResourceIsUnused() {
    List<Call> calls = List.of(Call.of("s3:PutObject", "arn:aws:s3:::Other/in/orders"));
    assertThat(with(Map.of()).unused("Reader", calls))
        .contains("Objects: s3:PutObject on arn:aws:s3:::Bucket/in/*");
  }

  @Test
  void whatDoesNotExistIsRefusedByName() {
    assertThatThrownBy(() -> with(Map.of("Etxra", "yes"))).hasMessageContaining("Etxra");
    assertThatThrownBy(() -> with(Map.of()).grants("Writer")).hasMessageContaining("[Reader]");
    assertThatThrownBy(() -> Call.of("PutItem")).hasMessageContaining("PutItem");
  }
}
