package io.tidemill.lambda.run;

import io.tidemill.lambda.message.Failure;
import io.tidemill.lambda.message.JobReference;
import io.tidemill.lambda.message.OrchestratorEvent;
import io.tidemill.lambda.message.OrchestratorEvent.Action;
import io.tidemill.lambda.platform.Platform;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does what events ask of queries. Used by one thread. */
public final class OrchestratorFunction {
  private static final Logger LOG = LoggerFactory.getLogger(OrchestratorFunction.class);

  private final Platform platform;
  private final Queries queries;
  private final Self self;

  /**
   * @param self invokes this function again
   */
  public OrchestratorFunction(Platform platform, TaskInvokers invokers, Self self) {
    this.platform = platform;
    this.queries = new Queries(platform, invokers, self);
    this.self = self;
  }

  /**
   * Does what an event asks.
   *
   * @param event an {@link OrchestratorEvent} as JSON
   * @return what became of it, as JSON: one object, or an array of one per query
   * @throws TidemillException if it failed; its texts are free of secrets
   */
  public byte[] handle(byte[] event, Call call) throws InterruptedException {
    try {
      OrchestratorEvent asked = parsed(event);
      Action action = action(asked.action());
      List<JobReference> found =
          platform.jobs().find(asked.job(), asked.query(), asked.variables());
      if (found.size() == 1) {
        return Json.bytes(act(action, found.get(0), asked, call));
      }
      if (action == Action.TRIGGER) {
        found.forEach(job -> self.invokeLater(call.functionArn(), OrchestratorEvent.trigger(job)));
        return Json.bytes(
            found.stream()
                .map(job -> RunAnswer.nothingDone(job.query(), RunAnswer.Outcome.STARTED))
                .toList());
      }
      List<Object> answers = new java.util.ArrayList<>();
      for (JobReference job : found) {
        answers.add(act(action, job, asked, call));
      }
      return Json.bytes(answers);
    } catch (RuntimeException e) {
      Failure failure = Failure.of(e, platform.references()::redact);
      LOG.error("The orchestrator failed: {}", Json.write(failure));
      // Lambda hands only the text on to whoever called.
      throw failure.toException().with("code", failure.code());
    }
  }

  private Object act(Action action, JobReference job, OrchestratorEvent asked, Call call)
      throws InterruptedException {
    return switch (action) {
      case TRIGGER -> queries.trigger(job, asked, call);
      case PLAN -> queries.plan(job);
      case STATUS -> queries.status(job);
      case STOP -> queries.stop(job);
      case START -> queries.start(job);
    };
  }

  private static OrchestratorEvent parsed(byte[] event) {
    try {
      return Json.read(event, OrchestratorEvent.class);
    } catch (TidemillException e) {
      throw new TidemillException(
          ErrorCode.INVALID_OPTION,
          "The event is not one the orchestrator knows: it has action, job, query, variables and"
              + " force.",
          e);
    }
  }

  private static Action action(String text) {
    for (Action action : Action.values()) {
      if (action.name().toLowerCase(Locale.ROOT).equals(text)) {
        return action;
      }
    }
    List<String> known =
        Arrays.stream(Action.values()).map(a -> a.name().toLowerCase(Locale.ROOT)).toList();
    throw new TidemillException(
            ErrorCode.INVALID_OPTION,
            "The event has no action the orchestrator knows." + Nearest.hint(text + "", known))
        .with("action", text)
        .with("known", known);
  }
}
