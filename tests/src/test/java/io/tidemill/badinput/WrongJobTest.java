package io.tidemill.badinput;

import static io.tidemill.badinput.Complaint.assertThatIt;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.process.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WrongJobTest {
  @TempDir Path directory;
  private OrdersJob job;

  @BeforeEach
  void writeInput() {
    job = new OrdersJob(directory);
    job.add(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "GROUP BY            | GROUP BYE           | 16:7  | syntax error at or near \"BYE\"",
        "INSERT INTO         | INSERT UNTO         | 13:8  | Expected INTO",
        "CREATE SINK         | CREATE SNIK         | 11:8  | Did you mean 'SINK'?",
        "TUMBLE(orders       | TUMBLE(oders        | 15:13 | Did you mean 'orders'?",
        "INTO revenue        | INTO revenu         | 13:13 | Did you mean 'revenue'?",
        "sum(amount)         | sum(amout)          | 14:39 | \"amount\"",
        "orders, event_time  | orders, event_tme   | 15:21 | \"event_time\"",
        "sum(amount)         | sum(abss(amount))   | 14:39 | Did you mean \"abs\"?",
        "sum(amount)         | sumn(amount)        | 14:35 | Did you mean \"sum\"?",
        "maxFilesPerTrigger  | maxFilePerTrigger   | 9:3   | Did you mean 'maxFilesPerTrigger'?",
        "'parquet'           | 'parket'            | 11:27 | Did you mean 'parquet'?",
        "'json'              | 'jsn'               | 7:3   | Did you mean 'json'?",
        "SET checkpoint      | SET chekpoint       | 12:5  | Did you mean 'checkpoint'?",
        "= '1'               | = 'one'             | 9:3   | expected a whole number",
        "amount DECIMAL(18,2)| amount DECIMALL     | 1:15  | The column amount has no type",
        "path = '${DIR}/in', | \"\"                | 7:3   | needs the option 'path'",
        "path = '${DIR}/in'  | path = '${NOWHERE}' | 8:10  | The variable NOWHERE has no value",
      })
  void mistakeIsShownWhereItIsWithWhatWasMeant(String part, String wrong, String at, String says) {
    job.with(part, wrong);
    for (String command : new String[] {"run", "plan"}) {
      Outcome outcome = job.command(command);
      assertThatIt(outcome, 2, says, "at: " + directory.resolve("job.sql") + ":" + at, "^");
    }
    assertThat(Files.exists(directory.resolve("checkpoint"))).isFalse();
  }

  @Test
  void jobFileThatIsNotThereComesWithTheNearestOneBeforeAnythingStarts() throws IOException {
    Files.writeString(directory.resolve("orders.sql"), "");
    for (String command : new String[] {"run", "plan", "local-aws"}) {
      Outcome outcome = Outcome.of(command, directory.resolve("oders.sql").toString());
      assertThatIt(outcome, 2, "oders.sql", "There is no such job file", "'orders.sql'");
      assertThat(outcome.errors()).doesNotContain("Starting");
    }
  }

  @Test
  void stackTraceIsShownIfAskedFor() {
    Outcome outcome = job.with("GROUP BY", "GROUP BYE").run("--verbose");
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.errors()).contains("\tat io.tidemill.");
  }

  @Test
  void sinkThatCannotBeWrittenIsNamedBeforeAnythingRuns() throws Exception {
    Files.writeString(directory.resolve("file"), "");
    assertThatIt(
        job.with("${DIR}/out", "${DIR}/file/out").run(),
        2,
        directory.resolve("file/out").toString());
    job.goesOnWellWithMore();
  }

  @Test
  void checkpointThatCannotBeWrittenIsNamed() throws Exception {
    Files.writeString(directory.resolve("file"), "");
    assertThatIt(
        job.with("${DIR}/checkpoint", "${DIR}/file/checkpoint").run(),
        2,
        directory.resolve("file/checkpoint").toString());
    job.goesOnWellWithMore();
  }
}
