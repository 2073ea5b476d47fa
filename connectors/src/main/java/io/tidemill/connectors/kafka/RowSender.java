package io.tidemill.connectors.kafka;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.InvalidTxnTimeoutException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Sends rows with a producer and remembers the first that Kafka did not take. */
final class RowSender {
  private final SinkSettings settings;
  private final Producer<byte[], byte[]> producer;
  private final AtomicReference<Exception> failed = new AtomicReference<>();
  private String firstTopic;

  RowSender(SinkSettings settings, Producer<byte[], byte[]> producer) {
    this.settings = settings;
    this.producer = producer;
  }

  static Producer<byte[], byte[]> producer(SinkSettings settings, Map<String, Object> client) {
    try {
      return new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer());
    } catch (KafkaException e) {
      throw error(settings, e);
    }
  }

  /** Hands all rows over and waits until Kafka has them; throws Kafka's own exception. */
  void sendAll(Delivery.Rows rows) {
    rows.forEach(this::send);
    producer.flush();
    check();
  }

  private void send(StagedRow row) {
    check();
    ProducerRecord<byte[], byte[]> record = row.record(settings.topic());
    if (firstTopic == null || record.topic().compareTo(firstTopic) < 0) {
      firstTopic = record.topic();
    }
    var unused =
        producer.send(
            record,
            (metadata, e) -> {
              if (e != null) {
                failed.compareAndSet(null, e);
              }
            });
  }

  private void check() {
    Exception e = failed.get();
    if (e instanceof KafkaException kafka) {
      throw kafka;
    }
    if (e != null) {
      throw new KafkaException(e);
    }
  }

  /** The first topic in order that rows went to; empty if there were none. */
  Optional<String> firstTopic() {
    return Optional.ofNullable(firstTopic);
  }

  /** Whether another try may help, or at least tell what became of this one. */
  static boolean mayBeRetried(KafkaException e) {
    return !(isFenced(e) || isRefused(e) || isForbidden(e) || e instanceof InterruptException);
  }

  private static boolean isFenced(Throwable e) {
    return has(e, ProducerFencedException.class) || has(e, InvalidProducerEpochException.class);
  }

  private static boolean isForbidden(Throwable e) {
    return has(e, AuthorizationException.class) || has(e, AuthenticationException.class);
  }

  private static boolean isRefused(Throwable e) {
    return has(e, RecordTooLargeException.class)
        || has(e, RecordBatchTooLargeException.class)
        || has(e, InvalidRecordException.class)
        || has(e, InvalidTopicException.class)
        || has(e, InvalidTxnTimeoutException.class)
        || has(e, InvalidConfigurationException.class)
        || has(e, UnsupportedVersionException.class);
  }

  private static boolean has(Throwable e, Class<? extends Throwable> type) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (type.isInstance(cause)) {
        return true;
      }
    }
    return false;
  }

  static TidemillException error(SinkSettings settings, Exception e) {
    Problem problem = Problem.of(settings.client(), e);
    ErrorCode code = ErrorCode.SINK_UNAVAILABLE;
    String message =
        "Kafka does not answer: check that it runs and that the sink's kafka.bootstrap.servers is"
            + " right. Nothing is lost: rows of a committed batch are sent when the query is started"
            + " again.";
    if (isFenced(e)) {
      code = ErrorCode.FENCED;
      message =
          "Another run of this query sends to Kafka, or a transaction took longer than"
              + " kafka.transaction.timeout.ms.";
    } else if (isForbidden(e)) {
      code = ErrorCode.FORBIDDEN;
      message =
          "Kafka refuses access: check the kafka.* security options and the access rules for the"
              + " topic, the group and the transactional id.";
    } else if (problem.ofOptions()) {
      code = ErrorCode.INVALID_OPTION;
      message = "Kafka's client does not take the kafka.* options of the sink: see the problem.";
    } else if (isRefused(e)) {
      code = ErrorCode.NOT_WRITABLE;
      message =
          "Kafka does not accept what it is sent: see the problem, and change the sink's kafka.*"
              + " options or the topic's settings. Nothing is lost.";
    }
    return new TidemillException(code, message, problem.cause())
        .with("sink", settings.name())
        .with("servers", settings.servers())
        .with("problem", problem.text());
  }
}
