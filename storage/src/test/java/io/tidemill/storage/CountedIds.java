package io.tidemill.storage;

import io.tidemill.protocol.Ids;
import java.util.concurrent.atomic.AtomicLong;

/** Ids that no other instance with another prefix gives. */
public final class CountedIds implements Ids {
  private final String prefix;
  private final AtomicLong count = new AtomicLong();

  public CountedIds(String prefix) {
    this.prefix = prefix;
  }

  @Override
  public String next() {
    return prefix + "-" + count.incrementAndGet();
  }
}
