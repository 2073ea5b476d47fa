package io.tidemill.connectors.kafka;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.tidemill.connectors.SinkContext;
import io.tidemill.connectors.SinkPublisher;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Sends committed batches; the connection stays open for the run. */
final class KafkaSinkPublisher implements SinkPublisher {
  private static final int ANSWER_MILLIS_MAX = 20_000;

  private final SinkSettings settings;
  private final Admin admin;
  private final Delivery delivery;
  private final RowFiles files;

  KafkaSinkPublisher(SinkSettings settings, SinkContext context) {
    this.settings = settings;
    this.files = new RowFiles(context.checkpoint(), settings.name());
    Map<String, Object> client =
        ClientOptions.forAdmin(settings.client(), ProducerConfig.configNames());
    client.putIfAbsent("default.api.timeout.ms", ANSWER_MILLIS_MAX);
    client.putIfAbsent("request.timeout.ms", ANSWER_MILLIS_MAX);
    try {
      this.admin = Admin.create(client);
    } catch (KafkaException e) {
      throw RowSender.error(settings, e);
    }
    boolean opened = false;
    try {
      checkTopic();
      this.delivery =
          settings.exactlyOnce()
              ? new TransactionalDelivery(settings, context, admin)
              : new RepeatableDelivery(settings);
      opened = true;
    } finally {
      if (!opened) {
        admin.close(Duration.ZERO);
      }
    }
  }

  /** A mistyped topic must not come into being by being written to. */
  private void checkTopic() {
    try {
      if (settings.topic().isEmpty()) {
        admin.describeCluster().clusterId().get();
        return;
      }
      admin.describeTopics(List.of(settings.topic().get())).allTopicNames().get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        throw missing(settings.topic().get(), e);
      }
      throw RowSender.error(settings, e);
    } catch (InterruptedException e) {
      ClientErrors.keepInterrupt(e);
      throw RowSender.error(settings, e);
    }
  }

  private TidemillException missing(String topic, Exception cause) {
    String hint;
    try {
      hint = Nearest.hint(topic, admin.listTopics().names().get());
    } catch (ExecutionException e) {
      throw RowSender.error(settings, e);
    } catch (InterruptedException e) {
      ClientErrors.keepInterrupt(e);
      throw RowSender.error(settings, e);
    }
    return new TidemillException(
            ErrorCode.NOT_WRITABLE,
            "The Kafka topic '" + topic + "' does not exist: create it first." + hint,
            cause)
        .with("sink", settings.name())
        .with("servers", settings.servers());
  }

  @Override
  public void publish(Timeline timeline, BatchId batch, OutputMode mode, List<Staged> outputs) {
    List<StagedOutput> staged = new ArrayList<>();
    outputs.forEach(output -> staged.add(staged(output)));
    BatchMarker marker = new BatchMarker(timeline, batch);
    if (!staged.isEmpty()) {
      delivery.send(marker, row -> staged.forEach(output -> files.read(output, row)));
    }
    files.published(marker, staged);
  }

  private static StagedOutput staged(Staged output) {
    try {
      return Json.MAPPER.treeToValue(output.output(), StagedOutput.class);
    } catch (JsonProcessingException e) {
      throw new TidemillException(
              ErrorCode.CHECKPOINT_CORRUPT, "A staged Kafka output is not what was written.", e)
          .with("task", output.task());
    }
  }

  @Override
  public void close() {
    delivery.close();
    files.close();
    admin.close(Duration.ZERO);
  }
}
