package io.tidemill.storage;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a location gives to keep a checkpoint in, open.
 *
 * @param register for the head
 * @param records for values that are written once and may be gone after weeks, each a register; if
 *     empty, they are blobs
 * @param readable local directories with the content of blobs
 */
public record Store(Blob blob, Register register, Optional<Register> records, List<Path> readable)
    implements AutoCloseable {
  public Store {
    readable = List.copyOf(readable);
  }

  @Override
  public void close() {
    try {
      records.ifPresent(Register::close);
      register.close();
    } finally {
      blob.close();
    }
  }
}
