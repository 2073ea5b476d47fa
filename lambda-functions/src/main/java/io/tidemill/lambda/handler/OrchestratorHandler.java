package io.tidemill.lambda.handler;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import io.tidemill.lambda.run.Call;
import io.tidemill.lambda.run.OrchestratorFunction;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** The orchestrator, as Lambda calls it. */
@Singleton
@Named("orchestrator")
public final class OrchestratorHandler implements RequestStreamHandler {
  private final OrchestratorFunction function;

  /** Connects nothing yet. */
  public OrchestratorHandler() {
    this.function =
        new OrchestratorFunction(
            ThisProcess.platform(), ThisProcess.calls(), ThisProcess.calls().self());
  }

  @Override
  public void handleRequest(InputStream event, OutputStream answer, Context context)
      throws IOException {
    Call call = new Call(context.getInvokedFunctionArn(), () -> context.getRemainingTimeInMillis());
    try {
      answer.write(function.handle(event.readAllBytes(), call));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the function was interrupted", e);
    }
  }
}
