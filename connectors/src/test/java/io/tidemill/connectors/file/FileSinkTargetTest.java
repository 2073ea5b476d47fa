package io.tidemill.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.connectors.SinkContext;
import io.tidemill.protocol.QueryId;
import io.tidemill.protocol.error.Category;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.Blob;
import io.tidemill.storage.fault.Fault;
import io.tidemill.storage.fault.FaultSource;
import io.tidemill.storage.fault.FaultyBlob;
import io.tidemill.storage.memory.MemoryBlob;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is said of a target that fails when the sink is opened. */
class FileSinkTargetTest {
  private final MemoryBlob target = new MemoryBlob();

  private ThrowingCallable opening(FaultSource faults) {
    Blob faulty = new FaultyBlob(target, faults);
    QueryId query = new QueryId("q");
    SinkContext context = new SinkContext(query, "query", new MemoryBlob());
    return () -> new FileSinkPublisher(context, SinkNames.of(query), faulty);
  }

  @ParameterizedTest
  @EnumSource(
      value = FaultSource.Call.class,
      names = {"READ", "CREATE", "DELETE"})
  void aTargetThatDoesNotAnswerMayBeTriedAgain(FaultSource.Call failing) {
    assertThatThrownBy(opening((call, name) -> call == failing ? Fault.REFUSED : Fault.NONE))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
              assertThat(e.category()).isEqualTo(Category.UNAVAILABLE);
            });
  }

  @ParameterizedTest
  @EnumSource(
      value = ErrorCode.class,
      names = {"FORBIDDEN", "NOT_WRITABLE"})
  void aTargetThatRefusesAccessIsNotWritable(ErrorCode refusal) {
    FaultSource refusing =
        (call, name) -> {
          throw new TidemillException(refusal, "Access is refused.");
        };
    assertThatThrownBy(opening(refusing))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.NOT_WRITABLE);
              assertThat(e.fields()).containsEntry("path", target.location());
            });
  }

  @Test
  void aTargetThatAnswersIsLeftAsItWas() throws Throwable {
    opening((call, name) -> Fault.NONE).call();
    assertThat(target.list("", "", 10)).isEmpty();
  }
}
