package io.tidemill.aws.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.host.Watch.Delivery;
import io.tidemill.host.Watch.Ending;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LedgerTest {
  private static final int ORCHESTRATOR_MEGABYTES = 1_000;
  private static final int BATCH_MEGABYTES = 2_000;
  private static final Charge READ = new Charge(Charge.Kind.DYNAMO_READ, 1);
  private static final Charge WRITE = new Charge(Charge.Kind.DYNAMO_WRITE, 4);
  private static final Charge PUT = Charge.of(Charge.Kind.S3_PUT);

  private record Done(String query, long batch, Usage usage) {}

  private long nowMillis;
  private final List<Done> done = new ArrayList<>();
  private final Ledger ledger =
      new Ledger(
          new Deployed(ORCHESTRATOR_MEGABYTES, BATCH_MEGABYTES),
          () -> Instant.ofEpochMilli(nowMillis),
          (query, batch, usage) -> done.add(new Done(query, batch, usage)));

  private static Delivery delivery(String function, String trace, String event) {
    return new Delivery(function, trace, event.getBytes(StandardCharsets.UTF_8));
  }

  private static Delivery trigger(String trace, String query) {
    return delivery("orchestrator", trace, "{\"action\":\"trigger\",\"query\":\"" + query + "\"}");
  }

  private static Delivery task(String trace, String query, long batch) {
    return delivery(
        "batch",
        trace,
        "{\"job\":{\"query\":\"%s\"},\"request\":{\"task\":{\"batch\":%d}}}"
            .formatted(query, batch));
  }

  private static Ending answer(String outcome, long millis) {
    return new Ending(
        ("{\"outcome\":\"" + outcome + "\"}").getBytes(StandardCharsets.UTF_8), false, millis);
  }

  private static Ending result(long millis) {
    return new Ending("{}".getBytes(StandardCharsets.UTF_8), false, millis);
  }

  @Test
  void aRunIsBookedOnTheBatchWhoseTasksItInvokedLast() {
    Delivery run = trigger("r", "Revenue");
    ledger.begun(run);
    ledger.charge("r", READ);
    nowMillis = 100;
    Delivery first = task("t0", "revenue", 7);
    ledger.begun(first);
    ledger.charge("t0", PUT);
    nowMillis = 140;
    ledger.ended(first, result(40));
    ledger.charge("r", WRITE);
    nowMillis = 150;
    assertThat(done).isEmpty();
    Delivery second = task("t1", "revenue", 8);
    ledger.begun(second);
    ledger.ended(second, result(30));
    nowMillis = 200;
    ledger.charge("r", WRITE);
    ledger.ended(run, answer("done", 203));

    assertThat(done).extracting(Done::query).containsExactly("revenue", "revenue");
    assertThat(done).extracting(Done::batch).containsExactly(7L, 8L);
    long payload = run.event().length + first.event().length + 2L;
    assertThat(done.get(0).usage())
        .isEqualTo(
            new Usage(
                2,
                150 + 40,
                150L * ORCHESTRATOR_MEGABYTES + 40L * BATCH_MEGABYTES,
                1,
                1,
                1,
                4,
                1,
                0,
                payload));
    assertThat(done.get(1).usage().functionMillis()).isEqualTo(203 - 150 + 30);
    assertThat(done.get(1).usage().dynamoWrites()).isEqualTo(1);
    assertThat(ledger.total()).isEqualTo(done.get(0).usage().plus(done.get(1).usage()));
  }

  @Test
  void aRunWithoutTasksIsInTheTotalOnly() {
    Delivery run = trigger("r", "revenue");
    ledger.begun(run);
    ledger.charge("r", READ);
    ledger.ended(run, answer("done", 20));

    assertThat(done).isEmpty();
    assertThat(ledger.total().dynamoReads()).isEqualTo(1);
    assertThat(ledger.total().functionMillis()).isEqualTo(20);
  }

  @Test
  void aBatchStaysOpenWhenAnotherInvocationGoesOnWithIt() {
    Delivery run = trigger("r0", "revenue");
    ledger.begun(run);
    Delivery cutOff = task("t0", "revenue", 3);
    ledger.begun(cutOff);
    ledger.ended(cutOff, result(5));
    ledger.ended(run, answer("continued", 10));
    assertThat(done).isEmpty();

    Delivery next = trigger("r1", "revenue");
    ledger.begun(next);
    Delivery again = task("t1", "revenue", 3);
    ledger.begun(again);
    ledger.ended(again, result(5));
    ledger.ended(next, answer("done", 10));

    assertThat(done).extracting(Done::batch).containsExactly(3L);
    assertThat(done.get(0).usage().invocations()).isEqualTo(4);
  }

  @Test
  void queriesThatRunSideBySideAreKeptApart() {
    ledger.begun(trigger("a", "one"));
    ledger.begun(trigger("b", "two"));
    ledger.begun(task("ta", "one", 0));
    ledger.begun(task("tb", "two", 0));
    ledger.charge("a", WRITE);
    ledger.charge("tb", PUT);
    ledger.ended(task("ta", "one", 0), result(1));
    ledger.ended(task("tb", "two", 0), result(1));
    ledger.ended(trigger("b", "two"), answer("done", 1));
    ledger.ended(trigger("a", "one"), answer("done", 1));

    assertThat(done).extracting(Done::query).containsExactly("two", "one");
    assertThat(done.get(0).usage().s3Puts()).isEqualTo(1);
    assertThat(done.get(0).usage().dynamoWrites()).isZero();
    assertThat(done.get(1).usage().dynamoWrites()).isEqualTo(1);
  }

  @Test
  void aTaskWhoseRequestIsStoredBelongsToTheBatchInItsKey() {
    ledger.begun(trigger("r", "revenue"));
    Delivery stored =
        delivery(
            "batch",
            "t",
            "{\"job\":{\"query\":\"revenue\"},\"stored\":{\"checkpoint\":\"s3://b/c\","
                + "\"key\":\"shuffle/0/0000000012/s1/p3-request-x.json\"}}");
    ledger.begun(stored);
    ledger.ended(stored, result(1));
    ledger.ended(trigger("r", "revenue"), answer("done", 1));

    assertThat(done).extracting(Done::batch).containsExactly(12L);
  }

  @Test
  void whatIsAskedBesideARunIsInTheTotalOnly() {
    Delivery run = trigger("r", "revenue");
    ledger.begun(run);
    ledger.begun(task("t", "revenue", 0));
    ledger.ended(task("t", "revenue", 0), result(1));
    Delivery stop = delivery("orchestrator", "s", "{\"action\":\"stop\",\"query\":\"revenue\"}");
    ledger.begun(stop);
    ledger.charge("s", WRITE);
    ledger.ended(stop, answer("stopped", 9));
    ledger.charge("", PUT);
    ledger.ended(run, answer("fenced", 9));

    assertThat(done.get(0).usage().dynamoWrites()).isZero();
    assertThat(done.get(0).usage().s3Puts()).isZero();
    assertThat(ledger.total().dynamoWrites()).isEqualTo(1);
    assertThat(ledger.total().s3Puts()).isEqualTo(1);
  }

  @Test
  void aBatchIsDoneWhenTheSlowerOfTwoThatDoTheSameIsToo() throws InterruptedException {
    Delivery run = trigger("r", "revenue");
    Delivery slow = task("slow", "revenue", 0);
    Delivery quick = task("quick", "revenue", 0);
    Delivery next = task("next", "revenue", 1);
    ledger.begun(run);
    ledger.begun(slow);
    ledger.begun(quick);
    ledger.ended(quick, result(1));
    ledger.begun(next);
    ledger.ended(next, result(1));
    ledger.charge("slow", PUT);
    ledger.ended(run, answer("done", 4));
    assertThat(done).isEmpty();

    ledger.ended(slow, result(60));
    ledger.awaitTasks();

    assertThat(done).extracting(Done::batch).containsExactly(0L, 1L);
    assertThat(done.get(0).usage().s3Puts()).isEqualTo(1);
    assertThat(done.get(0).usage().functionMillis()).isGreaterThanOrEqualTo(61);
    assertThat(done.get(0).usage().plus(done.get(1).usage())).isEqualTo(ledger.total());
  }
}
