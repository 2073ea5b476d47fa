package io.tidemill.aws.local;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.host.TidemillFunctions;
import io.tidemill.host.Watch;
import io.tidemill.protocol.Json;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

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
  private final Map<String, Batch> tasks = new HashMap<>();
  private final Map<String, Query> queries = new HashMap<>();
  private Usage total = Usage.NONE;

  Ledger(Deployed deployed, InstantSource clock, Batches batches) {
    this.deployed = deployed;
    this.clock = clock;
    this.batches = batches;
  }

  /** A query with its batches that somebody may still use something for. */
  private static final class Query {
    final String name;
    final Deque<Batch> left = new ArrayDeque<>();
    Batch current;
    Run run;

    Query(String name) {
      this.name = name;
    }
  }

  private static final class Batch {
    final Query query;
    final long id;
    Usage usage = Usage.NONE;
    int runningTasks;

    Batch(Query query, long id) {
      this.query = query;
      this.id = id;
    }

    void add(Usage more) {
      usage = usage.plus(more);
    }
  }

  /** An invocation of the orchestrator. */
  private static final class Run {
    final Query query;
    Batch batch;
    Usage beforeFirst = Usage.NONE;
    long bookedUntilMillis;
    long bookedMillis;

    Run(Query query, long startMillis) {
      this.query = query;
      this.bookedUntilMillis = startMillis;
    }
  }

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

  private void book(Batch batch, Usage usage) {
    total = total.plus(usage);
    batch.add(usage);
  }

  private void book(Run run, Usage usage) {
    total = total.plus(usage);
    if (run.batch != null) {
      run.batch.add(usage);
    } else {
      run.beforeFirst = run.beforeFirst.plus(usage);
    }
  }

  @Override
  public synchronized void begun(Delivery delivery) {
    JsonNode event = Json.read(delivery.event(), JsonNode.class);
    Usage invocation = Usage.invocation(delivery.event().length);
    if (delivery.function().equals(TidemillFunctions.ORCHESTRATOR)) {
      boolean triggered = event.path("action").asText().equals("trigger");
      Query query = triggered ? query(event.path("query").asText()) : new Query("");
      Run run = new Run(query, clock.millis());
      query.run = run;
      runs.put(delivery.trace(), run);
      book(run, invocation);
    } else {
      Query query = query(event.path("job").path("query").asText());
      Batch batch = turnedTo(query, TaskEvents.batch(event));
      batch.runningTasks++;
      tasks.put(delivery.trace(), batch);
      book(batch, invocation);
    }
  }

  private Query query(String name) {
    return queries.computeIfAbsent(name.toLowerCase(Locale.ROOT), Query::new);
  }

  /** The batch of a task that is invoked, which the query is at from now on. */
  private Batch turnedTo(Query query, long id) {
    Run run = query.run;
    if (query.current == null || query.current.id != id) {
      if (run != null && run.batch != null) {
        bookTime(run, clock.millis() - run.bookedUntilMillis, 0);
      }
      leave(query);
      query.current = new Batch(query, id);
    }
    if (run != null) {
      if (run.batch == null) {
        query.current.add(run.beforeFirst);
      }
      run.batch = query.current;
    }
    return query.current;
  }

  private void leave(Query query) {
    if (query.current != null) {
      query.left.add(query.current);
      query.current = null;
    }
    tellDone(query);
  }

  /** In order, and a batch of which a task still runs, although another was quicker, waits. */
  private void tellDone(Query query) {
    while (!query.left.isEmpty() && query.left.peek().runningTasks == 0) {
      Batch batch = query.left.poll();
      batches.done(query.name, batch.id, batch.usage);
    }
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
        leave(run.query);
      }
      return;
    }
    Batch batch = tasks.remove(delivery.trace());
    if (batch != null) {
      book(
          batch,
          Usage.time(ending.billedMillis(), deployed.batchMegabytes(), ending.answer().length));
      batch.runningTasks--;
      tellDone(batch.query);
      notifyAll();
    }
  }

  /** Waits until no task runs, whether somebody waits for its result or not. */
  synchronized void awaitTasks() throws InterruptedException {
    while (!tasks.isEmpty()) {
      wait();
    }
  }
}
