package io.tidemill.storage.aws;

import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * Repeats calls to AWS that failed, with growing random pauses. The SDK itself repeats none: only
 * the caller knows whether a call that may have happened may be repeated. Thread-safe if its parts
 * are.
 */
public final class Retries {
  /** Times a call is sent before giving up: about half a minute of pauses at most. */
  public static final int TRIES_MAX = 8;

  private static final Duration FIRST_PAUSE_MAX = Duration.ofMillis(100);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(5);

  private static final int THROTTLED = 429;
  private static final int CONFLICT = 409;

  /** Errors of DynamoDB, Lambda and S3 that say that there were too many calls. */
  private static final Set<String> THROTTLING =
      Set.of(
          "SlowDown",
          "ThrottlingException",
          "Throttling",
          "TooManyRequestsException",
          "RequestLimitExceeded",
          "ProvisionedThroughputExceededException");

  private final RandomGenerator random;
  private final Pause pause;
  private final AwsCalls calls;

  /**
   * @param random for the pauses
   * @param calls where throttled calls are counted
   */
  public Retries(RandomGenerator random, Pause pause, AwsCalls calls) {
    this.random = random;
    this.pause = pause;
    this.calls = calls;
  }

  /** A call that may be repeated whatever became of it. */
  public <T> T repeatable(Supplier<T> call) {
    return call(call, true);
  }

  /** A call that is repeated only if it certainly did not happen. */
  public <T> T once(Supplier<T> call) {
    return call(call, false);
  }

  private <T> T call(Supplier<T> call, boolean repeatable) {
    for (int tried = 1; ; tried++) {
      try {
        return call.get();
      } catch (SdkException e) {
        boolean throttled = isThrottled(e);
        if (throttled) {
          calls.addThrottled();
        }
        boolean again = throttled || isToBeRepeated(e) || (repeatable && isPassing(e));
        if (!again || tried == TRIES_MAX || Thread.currentThread().isInterrupted()) {
          throw e;
        }
      }
      pause(tried);
    }
  }

  /** Waits before what is left over of a batch is sent again. */
  public void pause(int tried) {
    long most = PAUSE_MAX.toMillis();
    long limit = Math.min(most, FIRST_PAUSE_MAX.toMillis() << Math.min(tried - 1, 10));
    pause.of(Duration.ofMillis(random.nextLong(limit + 1)));
  }

  /** True if there were too many calls, so that this one was not carried out. */
  public static boolean isThrottled(SdkException failure) {
    return failure instanceof AwsServiceException e
        && (e.statusCode() == THROTTLED || THROTTLING.contains(code(e)));
  }

  /** Not carried out because of another write at the same moment, or of a clock now corrected. */
  private static boolean isToBeRepeated(SdkException failure) {
    return failure instanceof AwsServiceException e
        && ((e.statusCode() == CONFLICT
                && Set.of("ConditionalRequestConflict", "OperationAborted").contains(code(e)))
            || Set.of("RequestTimeTooSkewed", "RequestExpired").contains(code(e)));
  }

  /** True if it is open whether the call was carried out, or it may be carried out next time. */
  private static boolean isPassing(SdkException failure) {
    return !isRefused(failure);
  }

  /**
   * True if the service certainly did not carry out the call: it says so with an error of the
   * caller's. Everything else leaves it open.
   */
  public static boolean isRefused(SdkException failure) {
    if (failure instanceof AwsServiceException e) {
      boolean callers = e.statusCode() >= 400 && e.statusCode() < 500;
      return isThrottled(failure) || (callers && !code(e).equals("RequestTimeout"));
    }
    // Of the client's own errors, only a missing key or region is certain to come before sending.
    return failure instanceof SdkClientException
        && String.valueOf(failure.getMessage()).startsWith("Unable to load ");
  }

  /** The service's error code, or the empty text. */
  public static String code(AwsServiceException failure) {
    return failure.awsErrorDetails() == null || failure.awsErrorDetails().errorCode() == null
        ? ""
        : failure.awsErrorDetails().errorCode();
  }
}
