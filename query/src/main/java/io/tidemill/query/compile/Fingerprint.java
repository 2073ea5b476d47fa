package io.tidemill.query.compile;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.SourcePlan;
import io.tidemill.query.plan.Stage;
import io.tidemill.query.plan.StatefulOperator;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What must stay the same under a checkpoint: the kinds and order of sources, the stateful
 * operators with their keys and state, and the output mode. Filters, projections, options that tune
 * a source, sinks and triggers may change. Spark 4.2: reference 10.3.
 */
public final class Fingerprint {
  private Fingerprint() {}

  static QueryPlan sign(QueryPlan plan) {
    return new QueryPlan(
        plan.name(),
        plan.mode(),
        plan.sources(),
        plan.tables(),
        plan.stages(),
        plan.sinks(),
        plan.output(),
        plan.settings(),
        hash(String.join("\n", parts(plan))));
  }

  /** One line per thing that must not change, for people to compare. */
  public static List<String> parts(QueryPlan plan) {
    List<String> parts = new java.util.ArrayList<>();
    for (SourcePlan source : plan.sources()) {
      parts.add(
          "source "
              + source.index()
              + ": "
              + source.connector().connector()
              + " "
              + source.stream());
    }
    for (Stage stage : plan.stateful()) {
      parts.add("operator " + stage.id() + ": " + describe(stage.operator().orElseThrow()));
    }
    boolean aggregates =
        plan.stateful().stream()
            .anyMatch(s -> s.operator().orElseThrow() instanceof StatefulOperator.Aggregate);
    if (aggregates) {
      parts.add("output mode: " + plan.mode().text());
    }
    return parts;
  }

  private static String describe(StatefulOperator operator) {
    String keys =
        operator.keys().stream()
            .map(k -> k.name() + " " + k.type())
            .collect(Collectors.joining(", "));
    if (operator instanceof StatefulOperator.Aggregate aggregate) {
      return "aggregate by ("
          + keys
          + ") of "
          + aggregate.aggregates().stream()
              .map(a -> a.call() + " as " + a.storageType())
              .collect(Collectors.joining(", "))
          + (aggregate.groupingSets().size() > 1 ? " sets " + aggregate.groupingSets() : "")
          + aggregate.eventTime().map(t -> " evicted by " + t).orElse("");
    }
    if (operator instanceof StatefulOperator.Deduplicate dedup) {
      return (dedup.expiryMillis().isPresent()
              ? "deduplicate within the watermark by ("
              : "deduplicate by (")
          + keys
          + ")"
          + dedup.evictKey().map(t -> " evicted by " + t).orElse("");
    }
    return "limit " + ((StatefulOperator.Limit) operator).rows();
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new TidemillException(ErrorCode.INTERNAL, "SHA-256 is missing from this Java.", e);
    }
  }
}
