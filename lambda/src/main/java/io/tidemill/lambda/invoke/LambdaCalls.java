package io.tidemill.lambda.invoke;

import io.tidemill.checkpoint.Records;
import io.tidemill.lambda.message.JobReference;
import io.tidemill.lambda.platform.FunctionEnvironment;
import io.tidemill.lambda.platform.Platform;
import io.tidemill.lambda.run.Self;
import io.tidemill.lambda.run.TaskInvokers;
import io.tidemill.orchestrator.Invoker;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.Store;
import java.time.Duration;
import java.util.random.RandomGenerator;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.services.lambda.LambdaAsyncClient;

/** What the orchestrator invokes: the batch function, and itself. Thread-safe. */
public final class LambdaCalls implements TaskInvokers {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** Beyond the invoker's own limit, so that the invoker says what was waited for. */
  private static final Duration READ_MARGIN = Duration.ofSeconds(30);

  /** How long a task may wait for Lambda to take it, beside its own time. */
  private static final Duration THROTTLING_MARGIN = Duration.ofSeconds(60);

  private final Platform platform;
  private final RandomGenerator random;
  private LambdaAsyncClient client;

  /**
   * @param random spreads what is sent again
   */
  public LambdaCalls(Platform platform, RandomGenerator random) {
    this.platform = platform;
    this.random = random;
  }

  @Override
  public Invoker open(JobReference job, Store checkpoint) {
    FunctionEnvironment environment = platform.environment();
    String function =
        environment
            .batchFunction()
            .orElseThrow(
                () ->
                    new TidemillException(
                        ErrorCode.INVALID_OPTION,
                        "The orchestrator does not know the batch function. Set"
                            + " TIDEMILL_BATCH_FUNCTION to its name."));
    return new LambdaInvoker(
        client(),
        new InvokerSettings(
            function,
            environment.taskConcurrency(),
            taskTimeout(),
            InvokerSettings.PAYLOAD_BYTES_MAX),
        job,
        checkpoint.blob(),
        Records.in(checkpoint, platform.ids()),
        platform.clock(),
        random);
  }

  private Duration taskTimeout() {
    return Duration.ofSeconds(platform.environment().taskTimeoutSeconds()).plus(THROTTLING_MARGIN);
  }

  /** Invokes the orchestrator itself. */
  public Self self() {
    return (functionArn, event) ->
        new LambdaSelf(client(), platform.retries()).invokeLater(functionArn, event);
  }

  /** The client, made once. */
  public synchronized LambdaAsyncClient client() {
    if (client == null) {
      client =
          platform
              .clients()
              .asyncClient(
                  LambdaAsyncClient.builder(),
                  "LAMBDA",
                  NettyNioAsyncHttpClient.builder()
                      .maxConcurrency(platform.environment().taskConcurrency() + 1)
                      .connectionTimeout(CONNECT_TIMEOUT)
                      .readTimeout(taskTimeout().plus(READ_MARGIN))
                      // Gateways forget connections on which nothing happens for some minutes.
                      .tcpKeepAlive(true)
                      .build());
    }
    return client;
  }
}
