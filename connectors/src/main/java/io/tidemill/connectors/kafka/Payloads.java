package io.tidemill.connectors.kafka;

import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;

/** Copies keys or values out of fetched batches, only if somebody wants them. */
final class Payloads implements Deserializer<byte[]> {
  private boolean wanted;

  /** Says whether that is new. */
  boolean want(boolean now) {
    boolean changed = now != wanted;
    wanted = now;
    return changed;
  }

  @Override
  public byte[] deserialize(String topic, byte[] data) {
    return wanted ? data : null;
  }

  @Override
  public byte[] deserialize(String topic, Headers headers, ByteBuffer data) {
    if (!wanted || data == null) {
      return null;
    }
    byte[] bytes = new byte[data.remaining()];
    data.get(bytes);
    return bytes;
  }
}
