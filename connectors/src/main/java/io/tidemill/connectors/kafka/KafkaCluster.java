package io.tidemill.connectors.kafka;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * What the planning side asks of Kafka: partitions and offsets, never records. Used by one thread.
 *
 * <p>Errors: {@code SOURCE_UNAVAILABLE} if there is no answer after all tries, {@code
 * SOURCE_MISSING} for a topic or partition that is not there.
 */
final class KafkaCluster implements AutoCloseable {
  /** Three tries of this and two pauses of a second stay below half a minute. */
  private static final int ANSWER_MILLIS_MAX = 6_000;

  private final SourceSettings settings;
  private final Admin admin;
  private final int answerMillisMax;
  private final ListOffsetsOptions listing;
  private Topics lastSeen = Topics.NONE;

  KafkaCluster(SourceSettings settings) {
    this.settings = settings;
    Map<String, Object> client =
        ClientOptions.forAdmin(settings.client(), ConsumerConfig.configNames());
    Object asked = client.get("default.api.timeout.ms");
    this.answerMillisMax = asked == null ? ANSWER_MILLIS_MAX : Integer.parseInt(asked.toString());
    client.put("default.api.timeout.ms", answerMillisMax);
    client.putIfAbsent("request.timeout.ms", answerMillisMax);
    this.listing = new ListOffsetsOptions(isolation(settings));
    try {
      this.admin = Admin.create(client);
    } catch (KafkaException e) {
      throw ClientErrors.unavailable(settings, e);
    }
  }

  private static IsolationLevel isolation(SourceSettings settings) {
    Object level = settings.client().getOrDefault("isolation.level", "read_uncommitted");
    return level.toString().equalsIgnoreCase("read_committed")
        ? IsolationLevel.READ_COMMITTED
        : IsolationLevel.READ_UNCOMMITTED;
  }

  /**
   * What the stream reads.
   *
   * @param ids of the topics whose id the broker says
   */
  record Topics(NavigableSet<TopicPartition> partitions, NavigableMap<String, String> ids) {
    static final Topics NONE = new Topics(new TreeSet<>(PartitionOffsets.ORDER), new TreeMap<>());
  }

  /**
   * What the stream reads now.
   *
   * @param known partitions that may be gone without being missed here
   */
  Topics topics(Set<TopicPartition> known) {
    Topics found =
        retrying(
            () -> {
              Set<String> wanted = names();
              Topics all = described(wanted);
              if (known.isEmpty() || settings.failOnDataLoss()) {
                checkFound(wanted, all.partitions(), known);
              }
              return all;
            });
    lastSeen = found;
    return found;
  }

  private Set<String> names() throws ExecutionException, InterruptedException, TimeoutException {
    TopicSelection selection = settings.topics();
    if (selection.topics().isPresent()) {
      return selection.topics().get();
    }
    NavigableSet<String> topics = new TreeSet<>();
    if (selection.partitions().isPresent()) {
      selection.partitions().get().forEach(p -> topics.add(p.topic()));
      return topics;
    }
    for (String topic : answer(admin.listTopics().names())) {
      if (selection.pattern().orElseThrow().matcher(topic).find()) {
        topics.add(topic);
      }
    }
    return topics;
  }

  private Topics described(Set<String> topics)
      throws ExecutionException, InterruptedException, TimeoutException {
    NavigableSet<TopicPartition> found = new TreeSet<>(PartitionOffsets.ORDER);
    NavigableMap<String, String> ids = new TreeMap<>();
    for (KafkaFuture<TopicDescription> future :
        admin.describeTopics(topics).topicNameValues().values()) {
      try {
        TopicDescription topic = answer(future);
        topic.partitions().forEach(p -> found.add(new TopicPartition(topic.name(), p.partition())));
        if (!topic.topicId().equals(Uuid.ZERO_UUID)) {
          ids.put(topic.name(), topic.topicId().toString());
        }
      } catch (ExecutionException e) {
        // A topic that is not there is found out by what is missing in the result.
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw e;
        }
      }
    }
    settings.topics().partitions().ifPresent(found::retainAll);
    return new Topics(found, ids);
  }

  /** Throws for a topic or partition named by the user that neither exists nor is known. */
  private void checkFound(
      Set<String> topics, NavigableSet<TopicPartition> found, Set<TopicPartition> known)
      throws ExecutionException, InterruptedException, TimeoutException {
    if (settings.topics().partitions().isPresent()) {
      for (TopicPartition partition : settings.topics().partitions().get()) {
        if (!found.contains(partition) && !known.contains(partition)) {
          throw missing("partition", partition.toString(), "");
        }
      }
      return;
    }
    for (String topic : topics) {
      if (found.stream().noneMatch(p -> p.topic().equals(topic))
          && known.stream().noneMatch(p -> p.topic().equals(topic))) {
        throw missing("topic", topic, Nearest.hint(topic, answer(admin.listTopics().names())));
      }
    }
  }

  private TidemillException missing(String kind, String name, String hint) {
    return new TidemillException(
            ErrorCode.SOURCE_MISSING,
            "The Kafka " + kind + " '" + name + "' does not exist." + hint)
        .with("servers", settings.servers());
  }

  /**
   * Ends of all partitions that exist now. Asks for partitions and offsets at the same time, as the
   * partitions are nearly always those of the last time. Offsets are never of an older topic than
   * the ids, so that a topic that is created anew meanwhile shows the next time.
   */
  KafkaPosition latest(Set<TopicPartition> known) {
    Topics guess = lastSeen;
    ListOffsetsResult early =
        admin.listOffsets(specs(guess.partitions(), p -> OffsetSpec.latest()), listing);
    Topics topics = topics(known);
    if (topics.equals(guess)) {
      try {
        return new KafkaPosition(offsets(answer(early.all())), topics.ids());
      } catch (ExecutionException | TimeoutException | InterruptedException e) {
        ClientErrors.keepInterrupt(e);
        // Asked again below, with retries and with an error of its own.
      }
    }
    return new KafkaPosition(latestOf(topics.partitions()), topics.ids());
  }

  PartitionOffsets latestOf(Set<TopicPartition> partitions) {
    return list(specs(partitions, p -> OffsetSpec.latest()));
  }

  PartitionOffsets earliest(Set<TopicPartition> partitions) {
    return list(specs(partitions, p -> OffsetSpec.earliest()));
  }

  /** First offsets at or after the times; partitions without such a record are left out. */
  PartitionOffsets at(PartitionOffsets millis) {
    PartitionOffsets found =
        list(
            specs(millis.partitions(), p -> OffsetSpec.forTimestamp(millis.find(p).orElseThrow())));
    NavigableMap<TopicPartition, Long> there = new TreeMap<>(found.map());
    there.values().removeIf(offset -> offset < 0);
    return new PartitionOffsets(there);
  }

  /** Waits between two tries, as the user set it. */
  void pause() {
    pause(settings.offsetRetryInterval());
  }

  private PartitionOffsets list(Map<TopicPartition, OffsetSpec> specs) {
    if (specs.isEmpty()) {
      return PartitionOffsets.of(Map.of());
    }
    return retrying(() -> offsets(answer(admin.listOffsets(specs, listing).all())));
  }

  private static Map<TopicPartition, OffsetSpec> specs(
      Set<TopicPartition> partitions, Function<TopicPartition, OffsetSpec> spec) {
    Map<TopicPartition, OffsetSpec> specs = new HashMap<>();
    partitions.forEach(p -> specs.put(p, spec.apply(p)));
    return specs;
  }

  private static PartitionOffsets offsets(
      Map<TopicPartition, ListOffsetsResult.ListOffsetsResultInfo> listed) {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    listed.forEach((partition, info) -> offsets.put(partition, info.offset()));
    return PartitionOffsets.of(offsets);
  }

  private <T> T answer(KafkaFuture<T> future)
      throws ExecutionException, InterruptedException, TimeoutException {
    return future.get(answerMillisMax + 1_000L, TimeUnit.MILLISECONDS);
  }

  /** A question to Kafka. */
  private interface Question<T> {
    T ask() throws ExecutionException, InterruptedException, TimeoutException;
  }

  private <T> T retrying(Question<T> question) {
    for (int attempt = 1; ; attempt++) {
      TidemillException failure;
      try {
        return question.ask();
      } catch (InterruptedException e) {
        ClientErrors.keepInterrupt(e);
        throw ClientErrors.interrupted(e);
      } catch (ExecutionException e) {
        failure = ClientErrors.of(settings, e.getCause());
      } catch (TimeoutException e) {
        failure = ClientErrors.unavailable(settings, e);
      } catch (TidemillException e) {
        failure = e;
      }
      if (attempt >= settings.offsetTries() || failure.code() == ErrorCode.FORBIDDEN) {
        throw failure;
      }
      pause();
    }
  }

  private static void pause(Duration duration) {
    try {
      TimeUnit.MILLISECONDS.sleep(duration.toMillis());
    } catch (InterruptedException e) {
      ClientErrors.keepInterrupt(e);
      throw ClientErrors.interrupted(e);
    }
  }

  @Override
  public void close() {
    admin.close(Duration.ZERO);
  }
}
