package io.tidemill.cli;

import io.tidemill.query.plan.Trigger;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** What names a job on the command line. */
final class JobOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Parameters(
      paramLabel = "JOB.sql",
      arity = "0..1",
      description = "The job file: a path, or s3://BUCKET/KEY.")
  private String file;

  @Option(
      names = "--jar",
      paramLabel = "FILE",
      description = "Instead of a job file: the jar of a Java program with a StreamingJob.")
  private Path jar;

  @Option(
      names = "--class",
      paramLabel = "NAME",
      description = "Full name of the StreamingJob's class; not needed if the jar has only one.")
  private String className;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description =
          "Value of a variable of the job: $${NAME} in a job file, session.variable(\"NAME\") in a"
              + " program. Repeatable.")
  private Map<String, String> variables = new LinkedHashMap<>();

  @Option(
      names = "--trigger",
      paramLabel = "TRIGGER",
      converter = TriggerConverter.class,
      description =
          "Instead of the job's, for all of its queries: available-now, once, default, or an interval such as"
              + " '10 seconds'.")
  private Trigger trigger;

  @Option(
      names = "--checkpoint",
      paramLabel = "DIR",
      description =
          "Instead of the job's: where the progress and the state are kept, a folder for each"
              + " query, by its name. A path, or s3://BUCKET/PREFIX.")
  private String checkpoint;

  JobRequest request(boolean force) {
    return new JobRequest(
        source(), variables, Optional.ofNullable(trigger), Optional.ofNullable(checkpoint), force);
  }

  private JobSource source() {
    if (file != null && jar != null) {
      throw wrong("There is a job file and a jar; give one of them");
    }
    if (file == null && jar == null) {
      throw wrong("There is no job; give a job file, or a jar with --jar");
    }
    if (file != null && file.endsWith(".jar")) {
      throw wrong("The job is a jar; give it with --jar");
    }
    if (className != null && jar == null) {
      throw wrong("The option --class belongs to a jar; give one with --jar");
    }
    return jar == null
        ? new JobSource.SqlFile(file)
        : new JobSource.ProgramJar(jar, Optional.ofNullable(className));
  }

  private ParameterException wrong(String what) {
    return new ParameterException(command.commandLine(), what);
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
