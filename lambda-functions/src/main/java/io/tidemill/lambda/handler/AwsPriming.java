package io.tidemill.lambda.handler;

import io.tidemill.storage.aws.AwsClients;
import io.tidemill.storage.aws.AwsSettings;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.lambda.LambdaAsyncClient;

/** Goes through the clients of AWS up to where a service would answer. */
final class AwsPriming {
  private static final AwsSettings NOWHERE =
      AwsSettings.of(Map.of("AWS_ENDPOINT_URL", "http://127.0.0.1:9")::get);

  private AwsPriming() {}

  /**
   * Asks nobody for an object, an item and, if the function invokes others, for a task.
   *
   * @param invokes whether it does
   */
  static void ask(boolean invokes) {
    try (AwsClients clients =
        new AwsClients(
            NOWHERE,
            Optional.of(AnonymousCredentialsProvider.create()),
            UnaryOperator.identity())) {
      unanswered(() -> clients.s3().getObjectAsBytes(o -> o.bucket("none").key("none")));
      unanswered(
          () ->
              clients
                  .dynamo()
                  .getItem(
                      i -> i.tableName("none").key(Map.of("none", AttributeValue.fromS("none")))));
      if (invokes) {
        LambdaAsyncClient lambda =
            clients.asyncClient(
                LambdaAsyncClient.builder(), "LAMBDA", NettyNioAsyncHttpClient.create());
        unanswered(
            () ->
                lambda
                    .invoke(i -> i.functionName("none").payload(SdkBytes.fromUtf8String("{}")))
                    .join());
      }
    }
  }

  private static void unanswered(Runnable call) {
    try {
      call.run();
    } catch (SdkClientException e) {
      return;
    } catch (CompletionException e) {
      if (e.getCause() instanceof SdkClientException) {
        return;
      }
      throw e;
    }
    throw new IllegalStateException("somebody answered where nobody listens");
  }
}
