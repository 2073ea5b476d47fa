package io.tidemill.lambda.handler;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import io.tidemill.lambda.task.TaskFunction;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** The batch function, as Lambda calls it. */
@Singleton
@Named("task")
public final class TaskHandler implements RequestStreamHandler {
  private final TaskFunction function = new TaskFunction(ThisProcess.platform());

  @Override
  public void handleRequest(InputStream event, OutputStream answer, Context context)
      throws IOException {
    answer.write(function.handle(event.readAllBytes()));
  }
}
