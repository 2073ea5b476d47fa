package io.tidemill.aws.local;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.plan.Trigger;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * When a query is triggered in AWS, from its job: the comment {@code -- schedule: …}, or else its
 * trigger. The rules are those of {@code infra/queries}.
 *
 * @param text {@code rate(…)} or {@code cron(…)}
 * @param triggersPerMonth on average, in 30 days
 * @param loops whether the orchestrator works on from one trigger to the next, as it does for
 *     intervals below a minute
 */
public record Schedule(String text, double triggersPerMonth, boolean loops) {
  /** What prices are said for. */
  public static final Duration MONTH = Duration.ofDays(30);

  private static final Pattern COMMENT = Pattern.compile("(?m)^[ \\t]*--\\s*schedule\\s*:(.*)$");
  private static final Pattern RATE =
      Pattern.compile("rate\\(\\s*([1-9]\\d{0,5})\\s+(minute|hour|day)s?\\s*\\)");
  private static final Pattern CRON = Pattern.compile("cron\\((.*)\\)");
  private static final Duration YEAR = Duration.ofDays(365);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** The schedule of a job's queries; empty if nothing says when they are triggered. */
  public static Optional<Schedule> of(String job, Trigger trigger) {
    boolean loops =
        trigger.kind() == Trigger.Kind.DEFAULT
            || (trigger.kind() == Trigger.Kind.PROCESSING_TIME
                && trigger.intervalMillis() < MINUTE.toMillis());
    Matcher comment = COMMENT.matcher(job);
    if (comment.find()) {
      return Optional.of(parsed(comment.group(1).trim(), loops));
    }
    if (loops || trigger.kind() == Trigger.Kind.PROCESSING_TIME) {
      long minute = MINUTE.toMillis();
      long minutes = Math.max(1, (trigger.intervalMillis() + minute - 1) / minute);
      return Optional.of(
          parsed("rate(" + minutes + (minutes == 1 ? " minute)" : " minutes)"), loops));
    }
    return Optional.empty();
  }

  private static Schedule parsed(String text, boolean loops) {
    Matcher rate = RATE.matcher(text);
    if (rate.matches()) {
      long number = Long.parseLong(rate.group(1));
      Duration interval =
          switch (rate.group(2)) {
            case "minute" -> Duration.ofMinutes(number);
            case "hour" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
          };
      return new Schedule(text, ratio(MONTH, interval), loops);
    }
    Matcher cron = CRON.matcher(text);
    if (cron.matches()) {
      return new Schedule(text, perYear(text, cron.group(1)) * ratio(MONTH, YEAR), loops);
    }
    throw unknown(text, null);
  }

  /** AWS writes cron expressions as Quartz does, without seconds. */
  private static double perYear(String text, String expression) {
    ZonedDateTime start = ZonedDateTime.of(2026, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC);
    try {
      CronParser parser =
          new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.QUARTZ));
      return ExecutionTime.forCron(parser.parse("0 " + expression))
          .countExecutions(start.minusSeconds(1), start.plus(YEAR).minusSeconds(1));
    } catch (IllegalArgumentException e) {
      throw unknown(text, e);
    }
  }

  private static TidemillException unknown(String text, Throwable cause) {
    return new TidemillException(
            ErrorCode.INVALID_OPTION,
            "The job's schedule cannot be read. Write -- schedule: rate(15 minutes), or cron( ) with"
                + " six fields.",
            cause)
        .with("schedule", text);
  }

  private static double ratio(Duration whole, Duration part) {
    return (double) whole.toMillis() / part.toMillis();
  }
}
