package io.tidemill.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class CommandLineTest {
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource({
    "JOB_SYNTAX, 2",
    "ILLEGAL_QUERY, 2",
    "SOURCE_MISSING, 2",
    "NOT_WRITABLE, 2",
    "MALFORMED_RECORD, 1",
    "DATA_LOSS, 1",
    "STORAGE_FULL, 1",
    "CHECKPOINT_MISMATCH, 3",
    "CHECKPOINT_NEWER, 3",
    "STATE_LAYOUT_CHANGED, 3",
    "CHECKPOINT_CORRUPT, 3",
    "STATE_CORRUPT, 3",
    "FENCED, 4"
  })
  void exitCodeSaysWhatKindOfErrorItWas(ErrorCode code, int exitCode) {
    assertThat(run(new Failing(new TidemillException(code, "It failed.")))).isEqualTo(exitCode);
  }

  @Test
  void errorIsOneMessageWithItsFieldsAndNoTrace() {
    run(
        new Failing(
            new TidemillException(ErrorCode.UNKNOWN_NAME, "There is no such column.")
                .with("line", 3)
                .with("near", "SELECT x\n       ^")));

    assertThat(err.toString())
        .isEqualTo(
            """
            error: There is no such column.
              line: 3
              near:
                SELECT x
                       ^
            """);
  }

  @Test
  void stackTraceIsShownIfAskedFor() {
    run(new Failing(new TidemillException(ErrorCode.INTERNAL, "It failed.")), "--verbose");

    assertThat(err.toString()).contains("TidemillException: It failed.").contains("\tat ");
  }

  @Test
  void unknownOptionNamesTheNearestOne() {
    assertThat(run(new TidemillCommand(), "kafka", "--prot", "1")).isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo(
            """
            error: There is no option '--prot'. Did you mean '--port'?
            'tidemill kafka --help' shows what there is.
            """);
  }

  @Test
  void unknownCommandNamesTheNearestOne() {
    assertThat(run(new TidemillCommand(), "kafak")).isEqualTo(2);
    assertThat(err.toString()).startsWith("error: There is no command 'kafak'. Did you mean");
  }

  @Test
  void whoNamesNoCommandIsShownWhatThereIs() {
    assertThat(run(new TidemillCommand())).isEqualTo(2);
    assertThat(err.toString()).startsWith("Usage: tidemill").contains("  run ", "  demo ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "plan", "demo", "kafka", "checkpoint", "checkpoint show"})
  void helpOfEveryCommandFitsAnOldTerminalAndShowsEveryWord(String command) {
    CommandLine line = CommandLines.configure(new CommandLine(new TidemillCommand()));
    for (String name : command.split(" ", -1)) {
      line = line.getSubcommands().get(name);
    }
    String help = line.getUsageMessage();
    assertThat(help).startsWith("Usage: tidemill " + command).doesNotContain("null");
    assertThat(help.lines()).allMatch(text -> text.length() <= 80);
  }

  private int run(Object command, String... arguments) {
    return CommandLines.configure(new CommandLine(command))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  @Command(name = "failing")
  static final class Failing implements Callable<Integer>, Verbose {
    @Mixin private SharedOptions shared;
    private final TidemillException error;

    Failing(TidemillException error) {
      this.error = error;
    }

    @Override
    public Integer call() {
      throw error;
    }

    @Override
    public boolean verbose() {
      return shared.verbose();
    }
  }
}
