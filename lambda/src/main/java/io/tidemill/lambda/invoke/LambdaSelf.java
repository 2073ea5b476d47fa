package io.tidemill.lambda.invoke;

import io.tidemill.lambda.message.OrchestratorEvent;
import io.tidemill.lambda.run.Self;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.aws.Retries;
import java.util.concurrent.CompletionException;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.lambda.LambdaAsyncClient;
import software.amazon.awssdk.services.lambda.model.InvocationType;
import software.amazon.awssdk.services.lambda.model.InvokeRequest;

/** Invokes the orchestrator as an event. Sent twice, the second finds the first at work. */
public final class LambdaSelf implements Self {
  private final LambdaAsyncClient client;
  private final Retries retries;

  public LambdaSelf(LambdaAsyncClient client, Retries retries) {
    this.client = client;
    this.retries = retries;
  }

  @Override
  public void invokeLater(String functionArn, OrchestratorEvent event) {
    InvokeRequest request =
        InvokeRequest.builder()
            .functionName(functionArn)
            .invocationType(InvocationType.EVENT)
            .payload(SdkBytes.fromByteArrayUnsafe(Json.bytes(event)))
            .build();
    try {
      var unused = retries.repeatable(() -> send(request));
    } catch (RuntimeException e) {
      throw new TidemillException(
              ErrorCode.FUNCTION_UNAVAILABLE,
              "The orchestrator could not invoke itself to go on. The next trigger goes on.",
              e)
          .with("function", functionArn);
    }
  }

  private Integer send(InvokeRequest request) {
    try {
      return client.invoke(request).join().statusCode();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }
}
