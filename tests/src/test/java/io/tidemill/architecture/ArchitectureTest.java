package io.tidemill.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final JavaClasses PRODUCT =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.tidemill");

  /** Package of each module, with the modules it may use. */
  private static final Map<String, Set<String>> MAY_USE =
      Map.of(
          "protocol", Set.of(),
          "storage", Set.of("protocol"),
          "query", Set.of("protocol"),
          "connectors", Set.of("protocol", "storage"),
          "state", Set.of("protocol", "storage", "engine"),
          "checkpoint", Set.of("protocol", "storage"),
          "engine", Set.of("protocol", "query", "connectors"),
          "function",
              Set.of("protocol", "storage", "query", "connectors", "engine", "state", "checkpoint"),
          "orchestrator", Set.of("protocol", "storage", "query", "connectors", "checkpoint"));

  @Test
  void aModuleUsesOnlyTheModulesBelowIt() {
    MAY_USE.forEach(
        (module, below) -> {
          List<String> forbidden =
              MAY_USE.keySet().stream()
                  .filter(m -> !m.equals(module) && !below.contains(m))
                  .map(m -> "io.tidemill." + m + "..")
                  .toList();
          List<String> above =
              List.of(
                  "io.tidemill.local..",
                  "io.tidemill.cli..",
                  "io.tidemill.api..",
                  "io.tidemill.lambda..",
                  "io.tidemill.host..",
                  "io.tidemill.aws.local..");
          noClasses()
              .that()
              .resideInAPackage("io.tidemill." + module + "..")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(
                  java.util.stream.Stream.concat(forbidden.stream(), above.stream())
                      .toArray(String[]::new))
              .check(PRODUCT);
        });
  }

  @Test
  void orchestratorAndFunctionKnowEachOtherOnlyThroughMessages() {
    noClasses()
        .that()
        .resideInAPackage("io.tidemill.orchestrator..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.tidemill.function..", "io.tidemill.engine..", "io.tidemill.state..")
        .check(PRODUCT);
  }

  @Test
  void packagesFormNoCycle() {
    slices().matching("io.tidemill.(**)").should().beFreeOfCycles().check(PRODUCT);
  }

  @Test
  void domainCodeKnowsNoFramework() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.tidemill.cli..", "io.tidemill.lambda.handler..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.quarkus..", "jakarta.enterprise..", "jakarta.inject..", "picocli..")
        .check(PRODUCT);
    noClasses()
        .that()
        .resideOutsideOfPackages("..kafka..", "..broker..", "..demo..", "..cli..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.kafka..")
        .check(PRODUCT);
    noClasses()
        .that()
        .resideOutsideOfPackages("..aws..", "..s3..", "..dynamo..", "..lambda..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("software.amazon..", "com.amazonaws..")
        .check(PRODUCT);
  }

  @Test
  void clockRandomAndIdsAreInjected() {
    DescribedPredicate<JavaAccess<?>> ambient =
        DescribedPredicate.describe(
            "the wall clock, random numbers or fresh ids",
            access -> {
              String owner = access.getTargetOwner().getName();
              String name = access.getTarget().getName();
              return (owner.equals("java.lang.System") && name.equals("currentTimeMillis"))
                  || (owner.equals("java.time.Instant") && name.equals("now"))
                  || (owner.equals("java.time.LocalDateTime") && name.equals("now"))
                  || (owner.equals("java.time.Clock") && name.startsWith("system"))
                  || (owner.equals("java.util.UUID") && name.equals("randomUUID"))
                  || (owner.equals("java.lang.Math") && name.equals("random"))
                  || (owner.equals("java.lang.Thread") && name.equals("sleep"));
            });
    noClasses()
        .that()
        .resideOutsideOfPackages("io.tidemill.cli..", "io.tidemill.broker..")
        .should()
        .accessTargetWhere(ambient)
        .check(PRODUCT);
  }

  @Test
  void packagesAndClassesAreNamedByWhatTheyAre() {
    noClasses()
        .should()
        .resideInAnyPackage(
            "..util..",
            "..utils..",
            "..common..",
            "..helper..",
            "..helpers..",
            "..misc..",
            "..base..",
            "..impl..")
        .check(PRODUCT);
    DescribedPredicate<JavaClass> vague =
        DescribedPredicate.describe(
            "are named Impl, Abstract, Base, Default, Manager, Helper or Util",
            c ->
                c.getSimpleName()
                    .matches("(Abstract|Base|Default)[A-Z].*|.*(Impl|Manager|Helper|Util|Utils)"));
    classes()
        .should(
            com.tngtech.archunit.lang.conditions.ArchConditions.not(
                com.tngtech.archunit.lang.conditions.ArchConditions.be(vague)))
        .check(PRODUCT);
  }
}
