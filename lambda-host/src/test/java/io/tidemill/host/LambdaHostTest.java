package io.tidemill.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LambdaHostTest {
  @TempDir static Path directory;

  private static final AtomicReference<Faults> FAULTS = new AtomicReference<>(Faults.NONE);
  private static Path zip;
  private static LambdaHost host;
  private static Caller caller;

  @BeforeAll
  static void start() throws IOException {
    zip = EchoFunction.zipIn(directory);
    host =
        LambdaHost.start(
            HostSettings.calm(
                    directory.resolve("host"),
                    InstantSource.system(),
                    () -> UUID.randomUUID().toString())
                .withFaults(function -> FAULTS.get().next(function)));
    caller = new Caller(host.endpoint());
  }

  @AfterAll
  static void stop() {
    host.close();
    assertThat(directory.resolve("host")).doesNotExist();
  }

  private static String deploy(String name, int concurrency, Duration timeout) {
    host.deploy(
        new FunctionSpec(
            name,
            zip,
            EchoFunction.class.getName() + "::handleRequest",
            256,
            timeout,
            concurrency,
            false,
            Set.of("live"),
            Map.of("GREETING", "hello")));
    return name;
  }

  @Test
  void anInstanceIsUsedAgainAndKnowsItsEnvironment() {
    String name = deploy("warm", 2, Duration.ofSeconds(30));
    JsonNode first = Caller.json(caller.call(name + ":live", "{\"a\":1}"));
    JsonNode second = Caller.json(caller.call(name, "2"));

    assertThat(first.path("event").path("a").asInt()).isEqualTo(1);
    assertThat(first.path("greeting").asText()).isEqualTo("hello");
    assertThat(first.path("fileNames").asText()).isEqualTo("UTF-8");
    assertThat(first.path("arn").asText()).endsWith(":function:warm:live");
    assertThat(first.path("left").asLong()).isBetween(1L, 30_000L);
    assertThat(second.path("count").asInt()).isEqualTo(2);
    assertThat(second.path("pid")).isEqualTo(first.path("pid"));
    assertThat(host.tally(name).invocations()).isEqualTo(2);
    assertThat(host.tally(name).coldStarts()).isEqualTo(1);
  }

  @Test
  void theProcessStandsStillBetweenInvocations() throws IOException {
    String name = deploy("frozen", 1, Duration.ofSeconds(30));
    long pid = Caller.json(caller.call(name, "1")).path("pid").asLong();
    Path status = Path.of("/proc", Long.toString(pid), "stat");
    Until.holds(() -> state(status).equals("T"));
    assertThat(Caller.json(caller.call(name, "2")).path("count").asInt()).isEqualTo(2);
  }

  private static String state(Path status) {
    try {
      return Files.readString(status).replaceAll("^.*\\) (\\w) .*$", "$1").trim();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aFunctionThatThrowsAnswersWithItsError() {
    String name = deploy("throws", 1, Duration.ofSeconds(30));
    HttpResponse<byte[]> response = caller.call(name, "\"fail\"");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("X-Amz-Function-Error")).contains("Unhandled");
    assertThat(Caller.json(response).path("errorMessage").asText()).isEqualTo("as asked");
    assertThat(host.tally(name).errors()).isEqualTo(1);
  }

  @Test
  void aFunctionThatTakesTooLongIsKilledAndTheNextStartsAnew() {
    String name = deploy("slow", 1, Duration.ofSeconds(2));
    JsonNode first = Caller.json(caller.call(name, "1"));
    HttpResponse<byte[]> late = caller.call(name, "\"hang\"");
    assertThat(late.headers().firstValue("X-Amz-Function-Error")).contains("Unhandled");
    assertThat(Caller.json(late).path("errorType").asText()).isEqualTo("Sandbox.Timedout");
    JsonNode next = Caller.json(caller.call(name, "2"));
    assertThat(next.path("count").asInt()).isEqualTo(1);
    assertThat(next.path("pid")).isNotEqualTo(first.path("pid"));
  }

  @Test
  void aFunctionThatHoldsMoreMemoryThanItHasIsEnded() {
    String name = deploy("eater", 1, Duration.ofSeconds(30));
    HttpResponse<byte[]> response = caller.call(name, "\"eat\"");
    assertThat(response.headers().firstValue("X-Amz-Function-Error")).contains("Unhandled");
    assertThat(Caller.json(response).path("errorType").asText())
        .isIn("Runtime.OutOfMemory", "java.lang.OutOfMemoryError");
  }

  @Test
  void aFunctionThatEndsItselfIsToldFromOneThatWasKilled() {
    String name = deploy("leaver", 1, Duration.ofSeconds(30));
    JsonNode error = Caller.json(caller.call(name, "\"exit\""));
    assertThat(error.path("errorType").asText()).isEqualTo("Runtime.ExitError");
    assertThat(error.path("errorMessage").asText())
        .endsWith("Error: Runtime exited with error: exit status 3");
  }

  @Test
  void theEndOfAProcessEndsWhatServedIt() {
    String name = deploy("shortlived", 1, Duration.ofSeconds(30));
    long before = servingThreads();
    for (int i = 0; i < 3; i++) {
      caller.call(name, "\"exit\"");
    }
    Until.holds(() -> servingThreads() <= before);
  }

  private static long servingThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("HTTP-Dispatcher"))
        .count();
  }

  @Test
  void instancesThatStartAtTheSameTimeDoNotUnpackToOnePlace() throws IOException {
    String name = deploy("many", 6, Duration.ofSeconds(30));
    List<CompletableFuture<HttpResponse<byte[]>>> calls =
        IntStream.range(0, 6).mapToObj(i -> caller.callLater(name, "" + i)).toList();
    for (CompletableFuture<HttpResponse<byte[]>> call : calls) {
      String pid = Caller.json(call.join()).path("pid").asText();
      assertThat(Files.readAllLines(Path.of("/proc", pid, "maps")))
          .filteredOn(line -> line.endsWith(".so") && line.contains("aws-lambda"))
          .isNotEmpty()
          .allMatch(line -> line.contains(directory.toString()));
    }
  }

  @Test
  void noMoreInstancesThanAllowedWorkAtOnce() {
    String name = deploy("narrow", 1, Duration.ofSeconds(3));
    caller.call(name, "1"); // An instance that has started is given no time for that again.
    CompletableFuture<HttpResponse<byte[]>> hanging = caller.callLater(name, "\"hang\"");
    Until.holds(() -> host.busy(name) == 1);
    HttpResponse<byte[]> refused = caller.call(name, "1");
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.headers().firstValue("x-amzn-ErrorType"))
        .contains("TooManyRequestsException");
    assertThat(host.tally(name).throttles()).isEqualTo(1);
    assertThat(Caller.json(hanging.join()).path("errorType").asText())
        .isEqualTo("Sandbox.Timedout");
  }

  @Test
  void anEventIsTriedThreeTimesAndThenGivenUp() {
    String name = deploy("events", 2, Duration.ofSeconds(30));
    assertThat(caller.call(name, "Event", "\"fail\"").statusCode()).isEqualTo(202);
    Until.holds(() -> host.failedEvents().stream().anyMatch(e -> e.function().equals(name)));
    assertThat(host.tally(name).invocations()).isEqualTo(3);
  }

  @Test
  void payloadsOverTheLimitAreRefused() {
    String name = deploy("limits", 1, Duration.ofSeconds(30));
    String large = "\"" + "x".repeat(6 << 20) + "\"";
    assertThat(caller.call(name, large).statusCode()).isEqualTo(413);
    String event = "\"" + "x".repeat(1 << 20) + "\"";
    assertThat(caller.call(name, "Event", event).statusCode()).isEqualTo(413);
    assertThat(Caller.json(caller.call(name, "\"large\"")).path("errorType").asText())
        .isEqualTo("Function.ResponseSizeTooLarge");
  }

  @Test
  void anUnknownFunctionOrQualifierIsNotFound() {
    String name = deploy("known", 1, Duration.ofSeconds(30));
    assertThat(caller.call("nobody", "1").statusCode()).isEqualTo(404);
    assertThat(caller.call(name + ":nothing", "1").statusCode()).isEqualTo(404);
  }

  @Test
  void faultsHappenAsTheyAreAskedFor() {
    String name = deploy("unlucky", 4, Duration.ofSeconds(30));
    assertThat(caller.call(name, "1").statusCode()).isEqualTo(200);

    withFate(
        new Fate(true, false, false, false, Optional.empty(), Optional.empty()),
        () -> assertThat(caller.call(name, "1").statusCode()).isEqualTo(429));
    withFate(
        new Fate(false, false, true, false, Optional.empty(), Optional.empty()),
        () ->
            assertThatThrownBy(() -> caller.call(name, "1"))
                .isInstanceOf(UncheckedIOException.class));
    long before = host.tally(name).invocations();
    withFate(
        new Fate(false, false, false, true, Optional.empty(), Optional.empty()),
        () -> assertThat(caller.call(name, "1").statusCode()).isEqualTo(200));
    Until.holds(() -> host.tally(name).invocations() == before + 2);
    withFate(
        new Fate(false, false, false, false, Optional.of(Duration.ofMillis(50)), Optional.empty()),
        () ->
            assertThat(Caller.json(caller.call(name, "\"hang\"")).path("errorType").asText())
                .isEqualTo("Runtime.ExitError"));
  }

  private static void withFate(Fate fate, Runnable act) {
    FAULTS.set(function -> function.equals("unlucky") ? fate : Fate.GOOD);
    try {
      act.run();
    } finally {
      FAULTS.set(Faults.NONE);
    }
  }

  @Test
  void theSameSeedGivesTheSameFates() {
    SeededFaults.Rates rates =
        new SeededFaults.Rates(
            0.1, 0.1, 0.1, 0.1, 0.2, 0.1, Duration.ofSeconds(1), Duration.ofSeconds(2));
    SeededFaults one = new SeededFaults(7, rates);
    SeededFaults two = new SeededFaults(7, rates);
    for (int i = 0; i < 100; i++) {
      assertThat(one.next("f")).isEqualTo(two.next("f"));
    }
  }
}
