package io.tidemill.query.compile;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.query.job.JobText;
import io.tidemill.query.job.Statement;
import io.tidemill.query.plan.QuerySettings;
import io.tidemill.query.plan.StateForm;
import io.tidemill.query.plan.Trigger;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Reads the SET statements of a job. Names compare without case and underscores. */
final class Settings {
  private static final List<String> KNOWN =
      List.of(
          "trigger",
          "checkpoint",
          "noDataBatches",
          "watermarkPolicy",
          "idleTimeout",
          "retainBatches",
          "state");

  private Settings() {}

  static QuerySettings read(JobText job, List<Statement.Set> sets) {
    Map<String, Statement.Set> given = new TreeMap<>();
    for (Statement.Set set : sets) {
      String key = key(set.name());
      if (KNOWN.stream().noneMatch(k -> key(k).equals(key))) {
        throw job.error(
            ErrorCode.UNKNOWN_OPTION,
            set.offset(),
            set.name().length(),
            "There is no setting '" + set.name() + "'." + Nearest.hint(set.name(), KNOWN));
      }
      given.put(key, set);
    }
    QuerySettings defaults = QuerySettings.DEFAULT;
    return new QuerySettings(
        trigger(job, given.get("trigger")),
        given.containsKey("checkpoint") ? given.get("checkpoint").value() : defaults.checkpoint(),
        flag(job, given.get("nodatabatches"), defaults.noDataBatches()),
        policy(job, given.get("watermarkpolicy")),
        duration(job, given.get("idletimeout")),
        retain(job, given.get("retainbatches"), defaults.retainBatches()),
        state(job, given.get("state")));
  }

  private static String key(String name) {
    return name.replace("_", "").toLowerCase(Locale.ROOT);
  }

  private static Trigger trigger(JobText job, Statement.Set set) {
    return set == null
        ? QuerySettings.DEFAULT.trigger()
        : Trigger.parse(set.value())
            .orElseThrow(
                () ->
                    invalid(
                        job,
                        set,
                        "available-now, once, default, or an interval such as '10 seconds'"));
  }

  private static boolean flag(JobText job, Statement.Set set, boolean otherwise) {
    if (set == null) {
      return otherwise;
    }
    String value = set.value().toLowerCase(Locale.ROOT);
    if (!value.equals("true") && !value.equals("false")) {
      throw invalid(job, set, "true or false");
    }
    return value.equals("true");
  }

  private static String policy(JobText job, Statement.Set set) {
    if (set == null) {
      return QuerySettings.DEFAULT.watermarkPolicy();
    }
    String value = set.value().toLowerCase(Locale.ROOT);
    if (!value.equals("min") && !value.equals("max")) {
      throw invalid(job, set, "min or max");
    }
    return value;
  }

  private static StateForm state(JobText job, Statement.Set set) {
    return set == null
        ? QuerySettings.DEFAULT.state()
        : Arrays.stream(StateForm.values())
            .filter(form -> form.text().equalsIgnoreCase(set.value()))
            .findFirst()
            .orElseThrow(() -> invalid(job, set, "object or dynamodb"));
  }

  private static long duration(JobText job, Statement.Set set) {
    if (set == null) {
      return QuerySettings.DEFAULT.idleTimeoutMillis();
    }
    return Trigger.parse(set.value())
        .filter(t -> t.kind() == Trigger.Kind.PROCESSING_TIME)
        .orElseThrow(() -> invalid(job, set, "an interval such as '5 minutes'"))
        .intervalMillis();
  }

  private static int retain(JobText job, Statement.Set set, int otherwise) {
    if (set == null) {
      return otherwise;
    }
    try {
      int value = Integer.parseInt(set.value());
      if (value >= 2) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw invalid(job, set, "a whole number of at least 2");
    }
    throw invalid(job, set, "a whole number of at least 2");
  }

  private static io.tidemill.protocol.error.TidemillException invalid(
      JobText job, Statement.Set set, String expected) {
    return job.error(
        ErrorCode.INVALID_OPTION,
        set.offset(),
        set.name().length(),
        "The setting '" + set.name() + "' is not valid: expected " + expected + ".");
  }
}
