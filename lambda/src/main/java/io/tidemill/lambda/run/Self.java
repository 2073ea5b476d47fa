package io.tidemill.lambda.run;

import io.tidemill.lambda.message.OrchestratorEvent;

/** Invokes the orchestrator again, asynchronously. */
@FunctionalInterface
public interface Self {
  /** Returns once Lambda has taken the event; {@code FUNCTION_UNAVAILABLE} if it does not. */
  void invokeLater(String functionArn, OrchestratorEvent event);
}
