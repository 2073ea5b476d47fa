package io.tidemill.cli;

import io.tidemill.query.plan.Trigger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** What names a job on the command line. */
final class JobOptions {
  @Parameters(paramLabel = "JOB.sql", description = "The job file: a path, or s3://BUCKET/KEY.")
  private String file;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "Value of a variable of the job, written there as ${NAME}. Repeatable.")
  private Map<String, String> variables = new LinkedHashMap<>();

  @Option(
      names = "--trigger",
      paramLabel = "TRIGGER",
      converter = TriggerConverter.class,
      description =
          "Instead of the job's: available-now, once, default, or an interval such as"
              + " '10 seconds'.")
  private Trigger trigger;

  @Option(
      names = "--checkpoint",
      paramLabel = "DIR",
      description =
          "Instead of the job's: where the progress and the state are kept, a path or"
              + " s3://BUCKET/PREFIX.")
  private String checkpoint;

  JobRequest request(boolean force) {
    return new JobRequest(
        file, variables, Optional.ofNullable(trigger), Optional.ofNullable(checkpoint), force);
  }

  /** Reads a trigger as a job does. */
  static final class TriggerConverter implements ITypeConverter<Trigger> {
    @Override
    public Trigger convert(String text) {
      return Trigger.parse(text)
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "'"
                          + text
                          + "' is no trigger; write available-now, once, default, or an interval"
                          + " such as '10 seconds'"));
    }
  }
}
