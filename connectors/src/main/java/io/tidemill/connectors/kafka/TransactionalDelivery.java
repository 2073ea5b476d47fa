package io.tidemill.connectors.kafka;

import io.tidemill.connectors.SinkContext;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Sends each batch in one transaction that also commits the batch's number as an offset of a
 * consumer group, so that a batch is never sent twice. Opening fences every earlier producer of the
 * sink and settles its transaction; only then the group's offset is read.
 */
final class TransactionalDelivery implements Delivery {
  private static final int TRIES_MAX = 3;
  private static final Duration CLOSE = Duration.ofSeconds(5);

  private final SinkSettings settings;
  private final Admin admin;
  private final String id;
  private final ConsumerGroupMetadata group;
  private Producer<byte[], byte[]> producer;
  private Optional<BatchMarker> sent = Optional.empty();
  private Optional<TidemillException> fenced = Optional.empty();
  private boolean broken;

  TransactionalDelivery(SinkSettings settings, SinkContext context, Admin admin) {
    this.settings = settings;
    this.admin = admin;
    this.id = settings.transactionalId(context);
    this.group = group();
    open();
  }

  /** Only a consumer can say what a producer needs to know of a group; it need not join it. */
  private ConsumerGroupMetadata group() {
    Map<String, Object> client =
        ClientOptions.forConsumer(settings.client(), ProducerConfig.configNames());
    client.put("group.id", id);
    ByteArrayDeserializer none = new ByteArrayDeserializer();
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(client, none, none)) {
      return consumer.groupMetadata();
    } catch (KafkaException e) {
      throw RowSender.error(settings, e);
    }
  }

  private void open() {
    Map<String, Object> client = new HashMap<>(settings.client());
    client.put("transactional.id", id);
    producer = RowSender.producer(settings, client);
    boolean opened = false;
    try {
      producer.initTransactions();
      sent = lastSent();
      opened = true;
      broken = false;
    } catch (KafkaException e) {
      throw RowSender.error(settings, e);
    } finally {
      if (!opened) {
        producer.close(Duration.ZERO);
        broken = true;
      }
    }
  }

  /** The marker may be on any topic: a batch puts it on one that it writes to. */
  private Optional<BatchMarker> lastSent() {
    try {
      return admin
          .listConsumerGroupOffsets(id, new ListConsumerGroupOffsetsOptions().requireStable(true))
          .partitionsToOffsetAndMetadata()
          .get()
          .values()
          .stream()
          .flatMap(committed -> Optional.ofNullable(committed).flatMap(BatchMarker::of).stream())
          .max(BatchMarker::compareTo);
    } catch (ExecutionException e) {
      throw RowSender.error(settings, e);
    } catch (InterruptedException e) {
      ClientErrors.keepInterrupt(e);
      throw RowSender.error(settings, e);
    }
  }

  @Override
  public void send(BatchMarker batch, Rows rows) {
    if (fenced.isPresent()) {
      throw fenced.get();
    }
    if (broken) {
      open();
    }
    for (int tries = 1; !isSent(batch); tries++) {
      try {
        transaction(batch, rows);
        sent = Optional.of(batch);
      } catch (KafkaException e) {
        if (tries == TRIES_MAX || !RowSender.mayBeRetried(e)) {
          abort();
          throw failure(e);
        }
        // Whether the commit happened is not known. A new producer settles that: either the
        // transaction was committed, and the group says so, or it never will be.
        producer.close(Duration.ZERO);
        open();
      } catch (TidemillException e) {
        abort();
        throw e;
      }
    }
  }

  /** A fenced run must stay so: to open again would fence the run that has taken over. */
  private TidemillException failure(KafkaException e) {
    TidemillException error = RowSender.error(settings, e);
    if (error.code() == ErrorCode.FENCED) {
      fenced = Optional.of(error);
    }
    return error;
  }

  private boolean isSent(BatchMarker batch) {
    if (sent.isPresent() && sent.get().timeline().compareTo(batch.timeline()) > 0) {
      throw new TidemillException(
              ErrorCode.FENCED, "A run of this query on a newer timeline sends to Kafka.")
          .with("sink", settings.name())
          .with("sent", sent.get())
          .with("batch", batch);
    }
    return sent.isPresent() && sent.get().compareTo(batch) >= 0;
  }

  private void transaction(BatchMarker batch, Rows rows) {
    producer.beginTransaction();
    RowSender sender = new RowSender(settings, producer);
    sender.sendAll(rows);
    sender
        .firstTopic()
        .ifPresent(
            topic ->
                producer.sendOffsetsToTransaction(
                    Map.<TopicPartition, OffsetAndMetadata>of(
                        new TopicPartition(topic, 0), batch.committed()),
                    group));
    producer.commitTransaction();
  }

  /** Lets readers of committed records go on; if that fails too, the next run does it. */
  private void abort() {
    try {
      producer.abortTransaction();
    } catch (KafkaException | IllegalStateException e) {
      producer.close(Duration.ZERO);
      broken = true;
    }
  }

  @Override
  public void close() {
    producer.close(CLOSE);
  }
}
