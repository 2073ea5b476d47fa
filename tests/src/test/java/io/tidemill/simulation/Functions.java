package io.tidemill.simulation;

import io.tidemill.orchestrator.Invoker;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.protocol.task.TaskResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The functions of all runs. An invocation may be lost, doubled, late, frozen, or go on after
 * everybody stopped waiting for it.
 */
final class Functions {
  private static final int FROZEN_ONE_IN = 40;

  private final SimulatedSource source;
  private final SimulatedStorage storage;
  private final SimulatedQuery query;
  private final Chance chance;
  private final Trace trace;
  private final Truth truth;
  private final List<Working> working = new ArrayList<>();
  private final List<Working> frozen = new ArrayList<>();
  private final List<Call> calls = new ArrayList<>();

  Functions(
      SimulatedSource source,
      SimulatedStorage storage,
      SimulatedQuery query,
      Chance chance,
      Trace trace,
      Truth truth) {
    this.source = source;
    this.storage = storage;
    this.query = query;
    this.chance = chance;
    this.trace = trace;
    this.truth = truth;
  }

  /** Somebody waiting for a task. */
  private record Call(TaskRequest request, CompletableFuture<TaskResult> reply) {}

  /** An execution; several may answer the same call. */
  private record Working(Invocation invocation, Call call) {}

  /** The invoker of one run. */
  Invoker invoker(int parallelism) {
    return new Invoker() {
      @Override
      public CompletableFuture<TaskResult> invoke(TaskRequest request) {
        return start(request);
      }

      @Override
      public int parallelism() {
        return parallelism;
      }

      @Override
      public void close() {}
    };
  }

  private CompletableFuture<TaskResult> start(TaskRequest request) {
    truth.onRequest(request);
    Call call = new Call(request, new CompletableFuture<>());
    calls.add(call);
    int executions = chance.isCalm() ? 1 : chance.oneIn(20) ? 0 : chance.oneIn(10) ? 2 : 1;
    for (int i = 0; i < executions; i++) {
      working.add(new Working(new Invocation(request, source, storage.view(chance), query), call));
    }
    trace.add(
        "invoke",
        request.task().path(),
        request.attempt(),
        "replay=",
        request.replay(),
        "x",
        executions);
    return call.reply();
  }

  boolean isWorking() {
    return !working.isEmpty();
  }

  boolean isAwaited() {
    calls.removeIf(c -> c.reply().isDone());
    return !calls.isEmpty();
  }

  /** Lets one execution go on a bit, or freezes it until the world has gone on. */
  void step() {
    Working one = chance.pick(working);
    String name = one.invocation().request().task().path();
    if (!chance.isCalm() && chance.oneIn(FROZEN_ONE_IN)) {
      trace.add("task", name, one.invocation().request().attempt(), "freezes");
      working.remove(one);
      frozen.add(one);
      return;
    }
    try {
      Optional<TaskResult> result = one.invocation().step();
      if (result.isPresent()) {
        working.remove(one);
        boolean lost = !chance.isCalm() && chance.oneIn(30);
        trace.add("task", name, lost ? "answers, which is lost" : "answers");
        if (!lost) {
          one.call().reply().complete(result.get());
        }
      }
    } catch (TidemillException e) {
      trace.add("task", name, "fails:", e.getMessage());
      working.remove(one);
      one.call().reply().completeExceptionally(e);
    } catch (Death e) {
      trace.add("task", name, "dies");
      working.remove(one);
    }
  }

  /** Lets a frozen execution go on, if there is one; nobody may be waiting for it any more. */
  void thaw() {
    if (!frozen.isEmpty()) {
      Working one = chance.pick(frozen);
      trace.add("task", one.invocation().request().attempt(), "goes on");
      frozen.remove(one);
      working.add(one);
    }
  }

  boolean isFrozen() {
    return !frozen.isEmpty();
  }

  /** Somebody stops waiting; the executions go on. */
  void timeOut() {
    if (isAwaited()) {
      Call call = chance.pick(calls);
      trace.add("call", call.request().attempt(), "times out");
      call.reply()
          .completeExceptionally(
              new TidemillException(ErrorCode.STORAGE_UNAVAILABLE, "No answer in time."));
    }
  }

  /** True if somebody waits for an answer that no execution will give. */
  boolean hasLostCall() {
    return isAwaited()
        && calls.stream().anyMatch(c -> working.stream().noneMatch(w -> w.call().equals(c)));
  }

  /** Times out calls that no execution will answer. */
  void timeOutLost() {
    for (Call call : List.copyOf(calls)) {
      if (working.stream().noneMatch(w -> w.call().equals(call))) {
        trace.add("call", call.request().attempt(), "was lost");
        call.reply()
            .completeExceptionally(
                new TidemillException(ErrorCode.STORAGE_UNAVAILABLE, "No answer in time."));
      }
    }
  }
}
