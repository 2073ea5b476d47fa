package io.tidemill.api.foreach;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The functions that a session's queries hand their batches to, by query name. Thread-safe. */
public final class BatchFunctions {
  private final Map<String, Taker> takers = new ConcurrentHashMap<>();

  /** Takes a batch's rows. */
  @FunctionalInterface
  public interface Taker {
    /**
     * Takes them.
     *
     * @param rows values in the order of the columns
     * @param batch counts from 0
     */
    void take(Schema columns, List<List<Object>> rows, long batch) throws Exception;
  }

  /** Names a function; one of the same name goes. */
  public void put(String name, Taker taker) {
    takers.put(name, taker);
  }

  void call(String name, Schema columns, List<List<Object>> rows, long batch) {
    Taker taker = takers.get(name);
    if (taker == null) {
      throw new TidemillException(
              ErrorCode.INTERNAL, "The function of a foreachBatch sink is not known here.")
          .with("name", name);
    }
    try {
      taker.take(columns, rows, batch);
    } catch (TidemillException e) {
      throw e;
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw new TidemillException(
              ErrorCode.QUERY_FAILED,
              "The function of foreachBatch failed. The batch comes again when the query is"
                  + " restarted.",
              e)
          .with("batchId", batch)
          .with("error", e);
    }
  }
}
