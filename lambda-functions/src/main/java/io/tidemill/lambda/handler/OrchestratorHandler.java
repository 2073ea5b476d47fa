package io.tidemill.lambda.handler;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import jakarta.inject.Named;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** The orchestrator, as Lambda calls it. */
@Named("orchestrator")
public final class OrchestratorHandler implements RequestStreamHandler {
  @Override
  public void handleRequest(InputStream event, OutputStream answer, Context context)
      throws IOException {
    answer.write(event.readAllBytes());
  }
}
