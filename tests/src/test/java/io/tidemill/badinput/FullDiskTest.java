package io.tidemill.badinput;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.connectors.Connectors;
import io.tidemill.connectors.file.FileFormat;
import io.tidemill.connectors.file.FileSinkConnector;
import io.tidemill.connectors.file.FileSourceConnector;
import io.tidemill.function.FunctionSettings;
import io.tidemill.function.TaskRunner;
import io.tidemill.local.InProcessInvoker;
import io.tidemill.local.LocalJob;
import io.tidemill.orchestrator.QueryRun;
import io.tidemill.orchestrator.RunEnvironment;
import io.tidemill.orchestrator.RunSpec;
import io.tidemill.protocol.Ids;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.job.JobText;
import io.tidemill.query.job.Variables;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.Trigger;
import io.tidemill.storage.Blob;
import io.tidemill.storage.ChainRegister;
import io.tidemill.storage.local.Durability;
import io.tidemill.storage.local.LocalBlob;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FullDiskTest {
  /** Each run writes the head at least; with room for a few writes more it gets ahead. */
  private static final int ROOM_BYTES_MAX = 20_000;

  private static final int RUNS_MAX = 200;
  private static final long SEED = Long.getLong("disk.seed", 1);

  @TempDir Path directory;
  private final SmallDisk disk = new SmallDisk();
  private final AtomicLong count = new AtomicLong();
  private final Ids ids = () -> "id" + count.incrementAndGet();
  private final InstantSource clock = InstantSource.system();

  @Test
  void diskThatIsFullAtAnyWriteLosesNothing() {
    OrdersJob job = new OrdersJob(directory);
    job.add(3);
    Random room = new Random(SEED);
    int full = 0;
    while (!runsToItsEnd()) {
      full++;
      assertThat(full).as("full disks, seed " + SEED).isLessThan(RUNS_MAX);
      disk.add(room.nextInt(ROOM_BYTES_MAX));
    }
    assertThat(full).isGreaterThan(5);
    job.assertResult();
    job.goesOnWellWithMore();
  }

  private boolean runsToItsEnd() {
    Connectors connectors =
        new Connectors(
            List.of(new FileSourceConnector(FileFormat.JSON)),
            List.of(new FileSinkConnector(FileFormat.PARQUET, path -> blob(Path.of(path)))));
    QueryPlan plan =
        LocalJob.compile(
                new JobText("job.sql", OrdersJob.TEXT),
                new Variables(Map.of("DIR", directory.toString()), name -> null),
                connectors)
            .get(0);
    plan = plan.withSettings(plan.settings().withTrigger(Trigger.availableNow()));
    Path checkpoint = directory.resolve("checkpoint/revenue");
    try (Blob blob = blob(checkpoint);
        ChainRegister register = new ChainRegister(blob);
        InProcessInvoker invoker = invoker(plan, connectors, blob, checkpoint)) {
      QueryRun.open(
              RunSpec.of(plan),
              new RunEnvironment(
                  connectors,
                  blob,
                  register,
                  invoker,
                  clock,
                  ids,
                  "run-" + ids.next(),
                  owner -> true))
          .run();
      return true;
    } catch (TidemillException e) {
      assertThat(e.code()).as(e.getMessage()).isEqualTo(ErrorCode.STORAGE_FULL);
      return false;
    }
  }

  private InProcessInvoker invoker(
      QueryPlan plan, Connectors connectors, Blob blob, Path checkpoint) {
    return new InProcessInvoker(
        1,
        number ->
            new TaskRunner(
                plan,
                connectors,
                blob,
                directory.resolve("scratch-" + ids.next()),
                List.of(checkpoint),
                FunctionSettings.STANDARD));
  }

  private Blob blob(Path path) {
    return new SmallBlob(new LocalBlob(path, ids, clock, Durability.NONE), disk);
  }
}
