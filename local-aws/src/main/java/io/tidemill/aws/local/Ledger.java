package io.tidemill.aws.local;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.host.Watch;
import io.tidemill.protocol.Json;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Books what is used on the batch that it is used for. What a task uses belongs to the task's
 * batch. What a run of the orchestrator uses belongs to the batch whose tasks it invoked last, and
 * before the first to that: a run does one thing after the other, so this is planning a first
 * batch, then per batch running, committing, publishing, tidying up and planning the next. A run
 * that invokes no task uses things for no batch. Thread-safe.
 */
final class Ledger implements Watch {
  private final Deployed deployed;
  private final InstantSource clock;
  private final Batches batches;
  private final Map<String, Run> runs = new HashMap<>();
  private final Map<String, Task> tasks = new HashMap<>();
  private final Map<String, Query> queries = new HashMap<>();
  private Usage total = Usage.NONE;

  Ledger(Deployed deployed, InstantSource clock, Batches batches) {
    this.deployed = deployed;
    this.clock = clock;
    this.batches = batches;
  }

  /** A query, and the batch that is open. */
  private static final class Query {
    final String name;
    OptionalLong batch = OptionalLong.empty();
    Usage usage = Usage.NONE;
    Run run;

    Query(String name) {
      this.name = name;
    }
  }

  /** An invocation of the orchestrator. */
  private static final class Run {
    final Query query;
    boolean hasBatch;
    Usage beforeFirst = Usage.NONE;
    long bookedUntilMillis;
    long bookedMillis;

    Run(Query query, long startMillis) {
      this.query = query;
      this.bookedUntilMillis = startMillis;
    }
  }

  private record Task(Query query, long batch) {}

  /** Everything used so far, whatever for. */
  synchronized Usage total() {
    return total;
  }

  /** Books a request that an invocation made. */
  synchronized void charge(String trace, Charge charge) {
    Usage usage = Usage.of(charge);
    if (tasks.containsKey(trace)) {
      book(tasks.get(trace), usage);
    } else if (runs.containsKey(trace)) {
      book(runs.get(trace), usage);
    } else {
      total = total.plus(usage);
    }
  }

  private void book(Task task, Usage usage) {
    total = total.plus(usage);
    Query query = task.query();
    if (query.batch.equals(OptionalLong.of(task.batch()))) {
      query.usage = query.usage.plus(usage);
    }
  }

  private void book(Run run, Usage usage) {
    total = total.plus(usage);
    if (run.hasBatch) {
      run.query.usage = run.query.usage.plus(usage);
    } else {
      run.beforeFirst = run.beforeFirst.plus(usage);
    }
  }

  @Override
  public synchronized void begun(Delivery delivery) {
    JsonNode event = Json.read(delivery.event(), JsonNode.class);
    Usage invocation = Usage.invocation(delivery.event().length);
    if (delivery.function().equals(deployed.orchestrator())) {
      boolean triggered = event.path("action").asText().equals("trigger");
      Query query = triggered ? query(event.path("query").asText()) : new Query("");
      Run run = new Run(query, clock.millis());
      query.run = run;
      runs.put(delivery.trace(), run);
      book(run, invocation);
    } else {
      Task task =
          new Task(query(event.path("job").path("query").asText()), TaskEvents.batch(event));
      tasks.put(delivery.trace(), task);
      open(task);
      book(task, invocation);
    }
  }

  private Query query(String name) {
    return queries.computeIfAbsent(name.toLowerCase(Locale.ROOT), Query::new);
  }

  /** Turns to the batch of a task, if it is a later one. */
  private void open(Task task) {
    Query query = task.query();
    if (query.batch.isEmpty() || query.batch.getAsLong() < task.batch()) {
      if (query.run != null && query.run.hasBatch) {
        bookTime(query.run, clock.millis() - query.run.bookedUntilMillis, 0);
      }
      close(query);
      query.batch = OptionalLong.of(task.batch());
    }
    Run run = query.run;
    if (run != null && !run.hasBatch) {
      run.hasBatch = true;
      query.usage = query.usage.plus(run.beforeFirst);
    }
  }

  private void close(Query query) {
    if (query.batch.isPresent()) {
      batches.done(query.name, query.batch.getAsLong(), query.usage);
    }
    query.batch = OptionalLong.empty();
    query.usage = Usage.NONE;
  }

  private void bookTime(Run run, long millis, long answerBytes) {
    run.bookedUntilMillis += millis;
    run.bookedMillis += millis;
    book(run, Usage.time(millis, deployed.orchestratorMegabytes(), answerBytes));
  }

  @Override
  public synchronized void ended(Delivery delivery, Ending ending) {
    Run run = runs.remove(delivery.trace());
    if (run != null) {
      bookTime(run, Math.max(0, ending.billedMillis() - run.bookedMillis), ending.answer().length);
      if (!RunAnswers.isContinued(ending)) {
        close(run.query);
      }
      return;
    }
    Task task = tasks.remove(delivery.trace());
    if (task != null) {
      book(
          task,
          Usage.time(ending.billedMillis(), deployed.batchMegabytes(), ending.answer().length));
    }
  }
}
