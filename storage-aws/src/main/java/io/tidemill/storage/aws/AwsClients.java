package io.tidemill.storage.aws;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsAsyncClientBuilder;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.client.builder.AwsSyncClientBuilder;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;

/**
 * The one place where clients of AWS are made. Each is made when it is first asked for, counts its
 * calls, and repeats none by itself. Closes them all. Thread-safe.
 */
public final class AwsClients implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);

  /** DynamoDB answers within milliseconds; a lease is much longer than this. */
  private static final Duration DYNAMO_TIMEOUT = Duration.ofSeconds(5);

  private static final Duration S3_TIMEOUT = Duration.ofSeconds(30);

  private final AwsSettings settings;
  private final Optional<AwsCredentialsProvider> credentials;
  private final UnaryOperator<SdkHttpClient> http;
  private final AwsCalls calls = new AwsCalls();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private S3Client s3;
  private DynamoDbClient dynamo;

  /** Clients with the credentials that the SDK finds: environment, profile, role. */
  public AwsClients(AwsSettings settings) {
    this(settings, Optional.empty(), UnaryOperator.identity());
  }

  /**
   * @param credentials instead of the SDK's own search
   * @param http what requests go through, made from what they would go through
   */
  public AwsClients(
      AwsSettings settings,
      Optional<AwsCredentialsProvider> credentials,
      UnaryOperator<SdkHttpClient> http) {
    this.settings = settings;
    this.credentials = credentials;
    this.http = http;
  }

  public AwsSettings settings() {
    return settings;
  }

  /** What all clients have been asked so far. */
  public AwsCalls calls() {
    return calls;
  }

  public synchronized S3Client s3() {
    if (s3 == null) {
      s3 =
          client(
              S3Client.builder()
                  .forcePathStyle(settings.endpoint("S3").isPresent())
                  // Saves waiting for the go-ahead before each object.
                  .serviceConfiguration(
                      S3Configuration.builder().expectContinueEnabled(false).build()),
              "S3",
              S3_TIMEOUT);
    }
    return s3;
  }

  public synchronized DynamoDbClient dynamo() {
    if (dynamo == null) {
      dynamo = client(DynamoDbClient.builder(), "DYNAMODB", DYNAMO_TIMEOUT);
    }
    return dynamo;
  }

  /**
   * Makes a client of any service, which is closed with this.
   *
   * @param service as in the variable for its endpoint, e.g. LAMBDA
   * @param timeout how long a reply may keep silent
   */
  public synchronized <B extends AwsClientBuilder<B, C> & AwsSyncClientBuilder<B, C>, C> C client(
      B builder, String service, Duration timeout) {
    SdkHttpClient connections =
        http.apply(
            UrlConnectionHttpClient.builder()
                .connectionTimeout(CONNECT_TIMEOUT)
                .socketTimeout(timeout)
                .build());
    opened.add(connections);
    return built(builder.httpClient(connections), service);
  }

  /**
   * Makes an asynchronous client of any service, which is closed with this.
   *
   * @param connections what requests go through; closed with this too
   */
  public synchronized <B extends AwsClientBuilder<B, C> & AwsAsyncClientBuilder<B, C>, C>
      C asyncClient(B builder, String service, SdkAsyncHttpClient connections) {
    opened.add(connections);
    return built(builder.httpClient(connections), service);
  }

  private <B extends AwsClientBuilder<B, C>, C> C built(B builder, String service) {
    settings.region().map(Region::of).ifPresent(builder::region);
    Optional<URI> endpoint = settings.endpoint(service);
    endpoint.ifPresent(builder::endpointOverride);
    credentials.ifPresent(builder::credentialsProvider);
    builder.overrideConfiguration(
        c ->
            c.retryStrategy(AwsRetryStrategy.doNotRetry())
                .addExecutionInterceptor(new CallCounting(calls)));
    C client = build(builder);
    if (client instanceof AutoCloseable closeable) {
      opened.add(0, closeable);
    }
    return client;
  }

  private static <B extends AwsClientBuilder<B, C>, C> C build(B builder) {
    try {
      return builder.build();
    } catch (SdkClientException e) {
      throw new TidemillException(
          ErrorCode.INVALID_OPTION,
          "AWS cannot be used: there is no region. Set AWS_REGION, or a region in the profile.",
          e);
    }
  }

  @Override
  public synchronized void close() {
    for (AutoCloseable one : opened) {
      close(one);
    }
    opened.clear();
    s3 = null;
    dynamo = null;
  }

  private static void close(AutoCloseable client) {
    try {
      client.close();
    } catch (Exception e) {
      throw new IllegalStateException("A client of AWS cannot be closed.", e);
    }
  }
}
