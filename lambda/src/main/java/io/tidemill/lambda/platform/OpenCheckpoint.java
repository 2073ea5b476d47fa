package io.tidemill.lambda.platform;

import io.tidemill.checkpoint.Records;
import io.tidemill.storage.Blob;
import io.tidemill.storage.Register;
import java.nio.file.Path;
import java.util.List;

/**
 * The checkpoint of a query, open.
 *
 * @param register holds the head
 * @param records hold the results of tasks
 * @param readable local directories that DuckDB may read for it
 */
public record OpenCheckpoint(Blob blob, Register register, Records records, List<Path> readable)
    implements AutoCloseable {
  public OpenCheckpoint {
    readable = List.copyOf(readable);
  }

  @Override
  public void close() {
    try {
      register.close();
    } finally {
      blob.close();
    }
  }
}
