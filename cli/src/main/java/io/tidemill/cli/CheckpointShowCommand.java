package io.tidemill.cli;

import io.tidemill.checkpoint.CheckpointView;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.ChainRegister;
import io.tidemill.storage.local.Durability;
import io.tidemill.storage.local.LocalBlob;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what a checkpoint says. */
@Command(
    name = "show",
    description = {
      "Shows the head of each query of a checkpoint: what is committed, what is planned, who owns"
          + " it, the state and the last batches. Reads only, also while a run goes on."
    },
    showDefaultValues = true)
final class CheckpointShowCommand implements Callable<Integer>, Verbose {
  @Spec private CommandSpec spec;
  @Mixin private SharedOptions shared;

  @Parameters(paramLabel = "DIR", description = "The checkpoint of a job, or of one query.")
  private Path directory;

  @Option(names = "--batches", paramLabel = "N", description = "Show the last N batches.")
  private int batches = 10;

  @Option(names = "--json", description = "Print the whole head and history as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    List<CheckpointView> views = new ArrayList<>();
    for (Path candidate : candidates()) {
      read(candidate).ifPresent(views::add);
    }
    if (views.isEmpty()) {
      throw new TidemillException(
              ErrorCode.INVALID_OPTION,
              "There is no checkpoint here. Name the folder that the job's SET checkpoint names.")
          .with("directory", directory);
    }
    PrintWriter out = spec.commandLine().getOut();
    for (CheckpointView view : views) {
      out.print(json ? Json.write(view) + "\n" : CheckpointText.of(view, batches));
    }
    out.flush();
    return ExitCode.DONE;
  }

  /** The folder itself and the folders in it: a job's checkpoint holds one per query. */
  private List<Path> candidates() throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    List<Path> candidates = new ArrayList<>(List.of(directory));
    try (Stream<Path> inside = Files.list(directory)) {
      inside.filter(Files::isDirectory).sorted().forEach(candidates::add);
    }
    return candidates;
  }

  private static Optional<CheckpointView> read(Path directory) {
    try (LocalBlob blob = new LocalBlob(directory, () -> "show", clock(), Durability.SYNC);
        ChainRegister register = new ChainRegister(blob)) {
      return CheckpointView.read(blob, register);
    }
  }

  /** Ids and times are for writers, and this only reads. */
  private static InstantSource clock() {
    return InstantSource.fixed(Instant.EPOCH);
  }

  @Override
  public boolean verbose() {
    return shared.verbose();
  }
}
