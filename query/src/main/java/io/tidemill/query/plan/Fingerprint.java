package io.tidemill.query.plan;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Column;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What must stay the same under a checkpoint: the kinds and order of sources, the stateful
 * operators with their keys and state, and the output mode. Filters, projections, options that tune
 * a source, sinks and triggers may change. Spark 4.2: reference 10.3.
 */
public final class Fingerprint {
  private Fingerprint() {}

  /** The plan with its fingerprint. */
  public static QueryPlan sign(QueryPlan plan) {
    return new QueryPlan(
        plan.name(),
        plan.mode(),
        plan.sources(),
        plan.tables(),
        plan.stages(),
        plan.sinks(),
        plan.output(),
        plan.settings(),
        hash(parts(plan)));
  }

  /** Each thing that must not change, by its name, in words: for people to compare. */
  public static SortedMap<String, String> parts(QueryPlan plan) {
    SortedMap<String, String> parts = new TreeMap<>();
    for (SourcePlan source : plan.sources()) {
      parts.put(
          "source " + source.index(),
          source.connector().connector() + " stream " + source.stream());
    }
    for (Stage stage : plan.stateful()) {
      StatefulOperator operator = stage.operator().orElseThrow();
      parts.put("operator " + stage.id(), describe(operator));
      if (operator instanceof StatefulOperator.Aggregate) {
        parts.put("output mode", plan.mode().text());
      }
      if (plan.settings().state() != StateForm.OBJECT) {
        parts.put("state", plan.settings().state().text());
      }
    }
    return parts;
  }

  private static String describe(StatefulOperator operator) {
    if (operator instanceof StatefulOperator.Aggregate aggregate) {
      return "aggregate by "
          + columns(aggregate.keys())
          + ": "
          + aggregate.aggregates().stream()
              .map(a -> a.call() + " kept as " + a.storageType())
              .collect(Collectors.joining(", "))
          + (aggregate.groupingSets().size() > 1 ? " sets " + aggregate.groupingSets() : "")
          + aggregate.eventTime().map(t -> " evicted by " + t).orElse("");
    }
    if (operator instanceof StatefulOperator.Deduplicate dedup) {
      return (dedup.expiryMillis().isPresent()
              ? "deduplicate within the watermark by "
              : "deduplicate by ")
          + columns(dedup.keys())
          + dedup.evictKey().map(t -> " evicted by " + t).orElse("");
    }
    return "limit " + ((StatefulOperator.Limit) operator).rows();
  }

  private static String columns(List<Column> columns) {
    return columns.isEmpty()
        ? "nothing"
        : columns.stream().map(c -> c.name() + " " + c.type()).collect(Collectors.joining(", "));
  }

  private static String hash(SortedMap<String, String> parts) {
    String text =
        parts.entrySet().stream()
            .map(part -> part.getKey() + ": " + part.getValue())
            .collect(Collectors.joining("\n"));
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new TidemillException(ErrorCode.INTERNAL, "SHA-256 is missing from this Java.", e);
    }
  }
}
