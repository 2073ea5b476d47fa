package io.tidemill.storage.dynamo;

import io.tidemill.storage.Items;
import io.tidemill.storage.aws.Retries;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DeleteRequest;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * Items of a DynamoDB table. Reads are BatchGetItem, 100 keys at a time, and Query; writes are one
 * conditional PutItem each, many at the same time, for a batch of writes takes no conditions;
 * deletions are BatchWriteItem, 25 at a time. Does not close the client.
 */
public final class DynamoItems implements Items {
  private static final int GET_KEYS_MAX = 100;
  private static final int DELETE_KEYS_MAX = 25;

  /** Calls at the same time; a call takes some milliseconds, of which this process uses few. */
  private static final int PARALLEL_MAX = 16;

  /** Times that the rest of a batch is sent again without any progress. */
  private static final int REST_TRIES_MAX = 8;

  private static final String CONDITION = "attribute_not_exists(p) OR b < :batch";

  private final DynamoDbClient client;
  private final String table;
  private final String scope;
  private final Retries retries;
  private final ItemAttributes attributes;
  private ExecutorService threads;

  /**
   * @param table with the partition key {@code p} and the sort key {@code s}, both texts
   * @param scope tells items of one table apart: the checkpoint's location
   * @param expires when DynamoDB may delete what is written now, seconds since the epoch; items of
   *     a negative batch, which say something about others, never expire
   */
  public DynamoItems(
      DynamoDbClient client,
      String table,
      String scope,
      Retries retries,
      Supplier<Optional<Long>> expires) {
    this.client = client;
    this.table = table;
    this.scope = scope;
    this.retries = retries;
    this.attributes = new ItemAttributes(scope, expires);
  }

  @Override
  public List<Item> get(Collection<Key> keys) {
    List<Item> found = new ArrayList<>();
    List<Key> all = List.copyOf(new LinkedHashSet<>(keys));
    for (List<Item> page : together(pages(all, GET_KEYS_MAX, this::getPage))) {
      found.addAll(page);
    }
    return found;
  }

  private static <T> List<Supplier<T>> pages(
      List<Key> keys, int size, java.util.function.Function<List<Key>, T> call) {
    List<Supplier<T>> pages = new ArrayList<>();
    for (int from = 0; from < keys.size(); from += size) {
      List<Key> page = keys.subList(from, Math.min(keys.size(), from + size));
      pages.add(() -> call.apply(page));
    }
    return pages;
  }

  private List<Item> getPage(List<Key> keys) {
    List<Item> found = new ArrayList<>();
    KeysAndAttributes rest =
        KeysAndAttributes.builder()
            .keys(keys.stream().map(attributes::key).toList())
            .consistentRead(true)
            .build();
    int idle = 0;
    while (rest != null && !rest.keys().isEmpty()) {
      Map<String, KeysAndAttributes> asked = Map.of(table, rest);
      BatchGetItemResponse reply =
          answered(() -> retries.repeatable(() -> client.batchGetItem(r -> r.requestItems(asked))));
      List<Map<String, AttributeValue>> items = reply.responses().getOrDefault(table, List.of());
      items.forEach(item -> found.add(attributes.item(item)));
      rest = reply.unprocessedKeys().get(table);
      idle = pauseBeforeRest(rest != null, idle, !items.isEmpty());
    }
    return found;
  }

  /**
   * Waits if something is left over.
   *
   * @param idle how often in a row there was no progress before
   * @return how often in a row there was none now
   */
  private int pauseBeforeRest(boolean left, int idle, boolean progress) {
    int now = progress ? 0 : idle + 1;
    if (left) {
      if (now == REST_TRIES_MAX) {
        throw DynamoFailures.throttled(table, scope);
      }
      retries.throttled();
      retries.pause(now + 1);
    }
    return now;
  }

  @Override
  public List<Item> upTo(String partition, String sort) {
    return answered(
        () -> {
          List<Item> found = new ArrayList<>();
          Map<String, AttributeValue> from = Map.of();
          do {
            Map<String, AttributeValue> start = from;
            var reply =
                retries.repeatable(
                    () ->
                        client.query(
                            r -> {
                              r.tableName(table)
                                  .consistentRead(true)
                                  .keyConditionExpression("p = :p AND s <= :s")
                                  .expressionAttributeValues(
                                      Map.of(
                                          ":p",
                                          AttributeValue.fromS(attributes.partition(partition)),
                                          ":s",
                                          AttributeValue.fromS(sort)));
                              if (!start.isEmpty()) {
                                r.exclusiveStartKey(start);
                              }
                            }));
            reply.items().forEach(item -> found.add(attributes.item(item)));
            from = reply.lastEvaluatedKey();
          } while (from != null && !from.isEmpty());
          return found;
        });
  }

  @Override
  public List<Key> putIfOlder(Collection<Item> items) {
    List<Supplier<Optional<Key>>> puts = new ArrayList<>();
    items.forEach(item -> puts.add(() -> put(item)));
    return together(puts).stream().flatMap(Optional::stream).toList();
  }

  /** The key, if a later batch was there. Repeating it is harmless: the same batch is not older. */
  private Optional<Key> put(Item item) {
    Map<String, AttributeValue> written = attributes.of(item);
    try {
      retries.repeatable(
          () ->
              client.putItem(
                  r ->
                      r.tableName(table)
                          .item(written)
                          .conditionExpression(CONDITION)
                          .expressionAttributeValues(
                              Map.of(":batch", attributes.number(item.now().batch())))));
      return Optional.empty();
    } catch (ConditionalCheckFailedException e) {
      boolean later =
          getPage(List.of(item.key())).stream().anyMatch(i -> i.now().batch() > item.now().batch());
      return later ? Optional.of(item.key()) : Optional.empty();
    } catch (SdkException e) {
      throw DynamoFailures.error(table, scope, e);
    }
  }

  @Override
  public void delete(Collection<Key> keys) {
    List<Key> all = List.copyOf(new LinkedHashSet<>(keys));
    together(
        pages(
            all,
            DELETE_KEYS_MAX,
            page -> {
              deletePage(page);
              return true;
            }));
  }

  private void deletePage(List<Key> keys) {
    List<WriteRequest> rest =
        keys.stream()
            .map(
                key ->
                    WriteRequest.builder()
                        .deleteRequest(DeleteRequest.builder().key(attributes.key(key)).build())
                        .build())
            .toList();
    int idle = 0;
    while (!rest.isEmpty()) {
      Map<String, List<WriteRequest>> asked = Map.of(table, rest);
      BatchWriteItemResponse reply =
          answered(
              () -> retries.repeatable(() -> client.batchWriteItem(r -> r.requestItems(asked))));
      List<WriteRequest> left = reply.unprocessedItems().getOrDefault(table, List.of());
      idle = pauseBeforeRest(!left.isEmpty(), idle, left.size() < rest.size());
      rest = left;
    }
  }

  private <T> T answered(Supplier<T> call) {
    try {
      return call.get();
    } catch (SdkException e) {
      throw DynamoFailures.error(table, scope, e);
    }
  }

  /** Makes the calls, several at the same time; the first error ends it. */
  private <T> List<T> together(List<Supplier<T>> calls) {
    if (calls.size() <= 1) {
      return calls.stream().map(Supplier::get).toList();
    }
    List<Future<T>> running = new ArrayList<>();
    calls.forEach(call -> running.add(threads().submit(call::get)));
    try {
      List<T> results = new ArrayList<>();
      for (Future<T> one : running) {
        results.add(one.get());
      }
      return results;
    } catch (ExecutionException e) {
      running.forEach(one -> one.cancel(false));
      throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
    } catch (InterruptedException e) {
      running.forEach(one -> one.cancel(false));
      Thread.currentThread().interrupt();
      throw DynamoFailures.throttled(table, scope);
    }
  }

  private synchronized ExecutorService threads() {
    if (threads == null) {
      threads =
          Executors.newFixedThreadPool(
              PARALLEL_MAX,
              work -> {
                Thread thread = new Thread(work, "tidemill-items");
                thread.setDaemon(true);
                return thread;
              });
    }
    return threads;
  }

  @Override
  public synchronized void close() {
    if (threads != null) {
      threads.shutdownNow();
    }
  }
}
