package io.tidemill.cli;

import io.tidemill.broker.EmbeddedKafka;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a broker until it is told to stop. */
@Command(
    name = "kafka",
    description = {
      "Starts a real Kafka broker for development, on this machine only, and runs it until"
          + " Ctrl-C.",
      "It keeps records whatever their age, and creates topics when they are first written to."
    },
    showDefaultValues = true)
final class KafkaCommand implements Callable<Integer>, Verbose {
  @Spec private CommandSpec spec;
  @Mixin private SharedOptions shared;

  @Option(names = "--port", paramLabel = "PORT", description = "Port to listen on, 0 for any.")
  private int port = 9092;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Where topics are kept from one run to the next. Without it they are not kept.")
  private Path directory;

  @Override
  public Integer call() throws InterruptedException {
    CountDownLatch stop = new CountDownLatch(1);
    StopSignals.onFirst(stop::countDown);
    try (WorkDirectory work = WorkDirectory.keptIn(directory);
        EmbeddedKafka kafka = EmbeddedKafka.start(work.path(), port)) {
      spec.commandLine().getOut().println("Kafka listens on " + kafka.bootstrapServers());
      spec.commandLine().getOut().println("Ctrl-C stops it.");
      spec.commandLine().getOut().flush();
      stop.await();
      spec.commandLine().getOut().println("Stopping.");
      spec.commandLine().getOut().flush();
    }
    return ExitCode.DONE;
  }

  @Override
  public boolean verbose() {
    return shared.verbose();
  }
}
