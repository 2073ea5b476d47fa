package io.tidemill.functions;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;

/**
 * Notes down every call that an AWS client of the process sends, a line each: function, {@code
 * service:Operation}, and what it is about. The SDK finds it on the class path by itself, so
 * functions are recorded as they are. Lines are shorter than what a system writes at once, so
 * processes can share the file.
 */
public final class RecordedCalls implements ExecutionInterceptor {
  /** Environment variable with the file. */
  static final String FILE = "RECORDED_CALLS";

  /** Where the SDK looks for interceptors of all clients. */
  static final String REGISTRATION =
      "software/amazon/awssdk/global/handlers/execution.interceptors";

  private static final List<String> OF_BUCKET =
      List.of("ListObjectsV2", "ListObjects", "HeadBucket");

  @Override
  public void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes attributes) {
    String operation = attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME);
    String service =
        attributes
            .getAttribute(SdkExecutionAttribute.SERVICE_NAME)
            .toLowerCase(Locale.ROOT)
            .replace(" ", "");
    String function = System.getenv("AWS_LAMBDA_FUNCTION_NAME");
    for (String about : about(operation, context.request())) {
      write(function + "\t" + service + ":" + operation + "\t" + about + "\n");
    }
  }

  /** Buckets with keys, tables, functions, secrets, parameters. */
  private static Collection<String> about(String operation, SdkRequest request) {
    Optional<String> bucket = request.getValueForField("Bucket", String.class);
    if (bucket.isPresent()) {
      return List.of(
          OF_BUCKET.contains(operation)
              ? bucket.get()
              : bucket.get() + "/" + request.getValueForField("Key", String.class).orElse("?"));
    }
    Optional<?> items = request.getValueForField("RequestItems", Object.class);
    if (items.isPresent()) {
      return ((Map<?, ?>) items.get()).keySet().stream().map(String::valueOf).toList();
    }
    for (String field : List.of("TableName", "FunctionName", "SecretId", "Name")) {
      Optional<String> named = request.getValueForField(field, String.class);
      if (named.isPresent()) {
        return List.of(named.get());
      }
    }
    return List.of("?");
  }

  private static void write(String line) {
    try {
      Files.writeString(
          Path.of(System.getenv(FILE)),
          line,
          StandardCharsets.UTF_8,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
