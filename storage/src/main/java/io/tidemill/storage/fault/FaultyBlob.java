package io.tidemill.storage.fault;

import io.tidemill.storage.Blob;
import io.tidemill.storage.fault.FaultSource.Call;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A blob store whose calls go wrong as the fault source says. */
public final class FaultyBlob implements Blob {
  private final Blob blob;
  private final FaultSource faults;

  public FaultyBlob(Blob blob, FaultSource faults) {
    this.blob = blob;
    this.faults = faults;
  }

  @Override
  public PutOutcome putIfAbsent(String key, byte[] bytes) {
    return create(key, () -> blob.putIfAbsent(key, bytes));
  }

  @Override
  public PutOutcome putFileIfAbsent(String key, Path file) {
    return create(key, () -> blob.putFileIfAbsent(key, file));
  }

  @Override
  public PutOutcome copyIfAbsent(String fromKey, String toKey) {
    return create(toKey, () -> blob.copyIfAbsent(fromKey, toKey));
  }

  private PutOutcome create(String key, Supplier<PutOutcome> write) {
    Fault fault = faults.next(Call.CREATE, key);
    if (fault == Fault.REFUSED) {
      throw Injected.error(Call.CREATE, key, fault);
    }
    PutOutcome outcome = fault.happens() ? write.get() : PutOutcome.UNKNOWN;
    return switch (fault) {
      case NONE -> outcome;
      case RETRIED -> PutOutcome.CONFLICT;
      default -> PutOutcome.UNKNOWN;
    };
  }

  @Override
  public Optional<byte[]> get(String key) {
    Injected.beforeRead(faults, Call.READ, key);
    return blob.get(key);
  }

  @Override
  public Optional<Path> localFile(String key) {
    Injected.beforeRead(faults, Call.READ, key);
    return blob.localFile(key);
  }

  @Override
  public Optional<Long> size(String key) {
    Injected.beforeRead(faults, Call.READ, key);
    return blob.size(key);
  }

  @Override
  public List<String> list(String prefix, String startAfter, int limit) {
    Injected.beforeRead(faults, Call.LIST, prefix);
    return blob.list(prefix, startAfter, limit);
  }

  @Override
  public void delete(String key) {
    Fault fault = faults.next(Call.DELETE, key);
    if (fault.happens()) {
      blob.delete(key);
    }
    if (fault != Fault.NONE) {
      throw Injected.error(Call.DELETE, key, fault);
    }
  }

  @Override
  public String location() {
    return blob.location();
  }

  @Override
  public void close() {
    blob.close();
  }
}
