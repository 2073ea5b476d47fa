package io.tidemill.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.local.StandardLocations;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.job.JobText;
import io.tidemill.query.plan.QueryPlan;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AwsJobTest {
  private static final String JOB =
      """
      CREATE STREAM events WITH (connector = 'rate', rowsPerSecond = '${SPEED}');
      CREATE SINK kept WITH (connector = 'parquet', path = '${OUT}/${FOLDER:none}');
      SET checkpoint = '${CHECKPOINTS}';
      INSERT INTO kept SELECT value FROM events;
      """;

  @TempDir Path directory;

  private AwsJob read(String text, Map<String, String> given) {
    JobText job = new JobText("here/job.sql", text);
    Map<String, String> outside = Map.of("SPEED", "3", "OUT", "mine", "OTHER", "unused");
    try (StandardLocations places = LocalJobs.locations(directory)) {
      return AwsJob.read(job, given, outside::get, places.locations());
    }
  }

  @Test
  void functionsGetWhatTheJobNamesAndTheStackComesFirst() {
    AwsJob job = read(JOB, Map.of("FOLDER", "here"));

    assertThat(job.name()).isEqualTo("job.sql");
    assertThat(job.environment()).containsOnly(Map.entry("SPEED", "3"));
    assertThat(job.variables()).containsOnly(Map.entry("FOLDER", "here"));
    QueryPlan query = job.queries().get(0);
    assertThat(query.settings().checkpoint()).isEqualTo("s3://tidemill/checkpoints");
    assertThat(query.sink().connector().options()).containsEntry("path", "s3://tidemill/out/here");
  }

  @Test
  void aJobWithoutACheckpointIsRefused() {
    assertThatThrownBy(() -> read(JOB.replaceFirst("SET checkpoint.*", ""), Map.of()))
        .isInstanceOf(TidemillException.class)
        .hasMessageContaining("names no checkpoint");
  }
}
