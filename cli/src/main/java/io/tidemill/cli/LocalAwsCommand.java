package io.tidemill.cli;

import io.tidemill.aws.local.LocalAws;
import io.tidemill.aws.local.LocalAwsSettings;
import io.tidemill.aws.local.Prices;
import io.tidemill.broker.EmbeddedKafka;
import io.tidemill.demo.ExpectedRevenue;
import io.tidemill.demo.OrdersSettings;
import io.tidemill.host.TidemillFunctions;
import io.tidemill.query.job.JobText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a job as it runs in AWS, without an account. */
@Command(
    name = "local-aws",
    description = {
      "Runs a job through the packaged Lambda functions on this machine, each invocation in a"
          + " process as in Lambda, with stand-ins for S3 and DynamoDB that count what is asked of"
          + " them. Says for each batch what it used and would cost, and what the schedule costs"
          + " while there is nothing to do. Dollars are estimates at list prices of us-east-1.",
      "With examples/orders/revenue.sql it also starts a Kafka broker, fills it with orders, and"
          + " checks the result to the cent. Any other job runs on what it names.",
      "In the job, $${OUT} is s3://tidemill/out and $${CHECKPOINTS} is s3://tidemill/checkpoints."
    },
    showDefaultValues = true)
final class LocalAwsCommand implements Callable<Integer>, Verbose {
  private static final long RECORDS = 1_000_000;

  @Spec private CommandSpec spec;
  @Mixin private SharedOptions shared;

  @Parameters(paramLabel = "JOB.sql", description = "The job file.")
  private Path file;

  @Option(
      names = "--records",
      paramLabel = "N",
      description = "Orders to make for examples/orders/revenue.sql. 1,000,000 if not given.")
  private Long records;

  @Option(
      names = "--json",
      description = "Print an object per batch, and at the end one with the totals.")
  private boolean json;

  @Option(
      names = "--keep",
      paramLabel = "DIR",
      description = "Keep objects, tables and topics there, and what the functions print.")
  private Path keep;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "Value of a variable of the job: $${NAME}. Repeatable.")
  private Map<String, String> variables = new LinkedHashMap<>();

  @Override
  public Integer call() throws InterruptedException {
    JobText job = new JobText(file.toString(), JobFile.text(file));
    boolean orders = isOrdersExample();
    if (records != null && !orders) {
      throw new ParameterException(
          spec.commandLine(), "--records belongs to " + DemoOrders.JOB + ", which makes orders");
    }
    try (ProgressDisplay display = Displays.onStandardError();
        WorkDirectory work = WorkDirectory.keptIn(keep);
        WorkDirectory scratch = WorkDirectory.keptIn(null)) {
      if (!orders) {
        return run(job, variables, Optional.empty(), work.path(), scratch.path(), display);
      }
      OrdersSettings settings = DemoOrders.settings(records == null ? RECORDS : records);
      display.say("Starting a Kafka broker.");
      try (EmbeddedKafka kafka = EmbeddedKafka.start(work.path().resolve("kafka"), 0)) {
        ExpectedRevenue expected = DemoOrders.produce(kafka.bootstrapServers(), settings, display);
        Map<String, String> all =
            new TreeMap<>(DemoOrders.variables(kafka.bootstrapServers(), settings));
        all.putAll(variables);
        return run(job, all, Optional.of(expected), work.path(), scratch.path(), display);
      }
    }
  }

  private boolean isOrdersExample() {
    try {
      return Files.exists(DemoOrders.job()) && Files.isSameFile(file, DemoOrders.job());
    } catch (IOException e) {
      return false; // It is gone by now, or cannot be looked at.
    }
  }

  private int run(
      JobText text,
      Map<String, String> given,
      Optional<ExpectedRevenue> expected,
      Path directory,
      Path scratch,
      ProgressDisplay display)
      throws InterruptedException {
    Prices prices = Prices.of(TidemillFunctions.architecture());
    LocalAwsSettings settings =
        new LocalAwsSettings(
            directory.resolve("aws"),
            scratch,
            TidemillFunctions.zipIn(Path.of(System.getProperty("tidemill.home", "."))),
            Path.of("").toAbsolutePath(),
            Runtime.getRuntime().availableProcessors(),
            InstantSource.system(),
            () -> UUID.randomUUID().toString());
    display.say("Starting stand-ins for S3 and DynamoDB, and a host for the functions.");
    try (AwsBatches batches = new AwsBatches(display, json, prices);
        LocalAws aws = LocalAws.start(settings, batches)) {
      AwsJob job = AwsJob.read(text, given, System::getenv, aws.locations().locations());
      batches.read(job.queries(), aws.locations().locations());
      aws.deploy(job.name(), job.text(), job.queries().size(), job.environment());
      display.say("Running " + file + " through the functions.");
      AwsRun run = new AwsRun(aws, job, prices);
      long start = System.nanoTime();
      try {
        run.run(display);
        double seconds = DemoOrders.seconds(start);
        aws.awaitTasks();
        batches.await();
        AwsCost cost = AwsCost.of(aws.used(), prices);
        Optional<AwsIdle> idle = run.idle();
        AwsReport report = new AwsReport(display, System.out, json);
        if (expected.isEmpty() || run.stopped()) {
          JobSummary summary = JobSummary.of(batches.totals(), seconds);
          return report.end(summary, batches.rows(), cost, idle);
        }
        Path output = AwsOutput.copy(aws.locations().locations(), scratch.resolve("out"));
        DemoResult result = DemoResult.read(output);
        DemoSummary summary = DemoSummary.of(batches.totals(), result, expected.get(), seconds);
        return report.end(summary, result, expected.get(), batches.rows(), cost, idle);
      } finally {
        keepLogs(aws, directory);
      }
    }
  }

  private void keepLogs(LocalAws aws, Path directory) {
    if (keep == null) {
      return;
    }
    try {
      Files.writeString(directory.resolve("functions.log"), aws.logs());
    } catch (IOException e) {
      throw WorkDirectory.notWritable(directory, e);
    }
  }

  @Override
  public boolean verbose() {
    return shared.verbose();
  }
}
