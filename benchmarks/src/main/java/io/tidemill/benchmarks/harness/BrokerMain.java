package io.tidemill.benchmarks.harness;

import io.tidemill.broker.EmbeddedKafka;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/** The broker's process: prints where it listens, and stops when standard input ends. */
final class BrokerMain {
  private BrokerMain() {}

  public static void main(String[] arguments) throws IOException {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(Path.of(arguments[0]), 0)) {
      System.out.println(kafka.bootstrapServers());
      System.in.transferTo(OutputStream.nullOutputStream());
    }
  }
}
