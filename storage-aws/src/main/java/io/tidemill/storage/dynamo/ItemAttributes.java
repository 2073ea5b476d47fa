package io.tidemill.storage.dynamo;

import io.tidemill.storage.Items;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Items of state as attributes: {@code p} and {@code s} the key, {@code b} and {@code v} batch and
 * value of the newest version, {@code pb} and {@code pv} those of the one before, {@code expires}.
 * Names are short because DynamoDB charges for them.
 */
final class ItemAttributes {
  private final String scope;
  private final Supplier<Optional<Long>> expires;

  ItemAttributes(String scope, Supplier<Optional<Long>> expires) {
    this.scope = scope;
    this.expires = expires;
  }

  String partition(String partition) {
    return scope + "#" + partition;
  }

  AttributeValue number(long number) {
    return AttributeValue.fromN(Long.toString(number));
  }

  Map<String, AttributeValue> key(Items.Key key) {
    return Map.of(
        "p",
        AttributeValue.fromS(partition(key.partition())),
        "s",
        AttributeValue.fromS(key.sort()));
  }

  Map<String, AttributeValue> of(Items.Item item) {
    Map<String, AttributeValue> attributes = new HashMap<>(key(item.key()));
    add(attributes, item.now(), "b", "v");
    item.before().ifPresent(before -> add(attributes, before, "pb", "pv"));
    expires
        .get()
        .filter(at -> item.now().batch() >= 0)
        .ifPresent(at -> attributes.put("expires", number(at)));
    return attributes;
  }

  private void add(
      Map<String, AttributeValue> attributes, Items.Version version, String batch, String value) {
    attributes.put(batch, number(version.batch()));
    version.value().ifPresent(text -> attributes.put(value, AttributeValue.fromS(text)));
  }

  Items.Item item(Map<String, AttributeValue> attributes) {
    String partition = attributes.get("p").s().substring(scope.length() + 1);
    return new Items.Item(
        new Items.Key(partition, attributes.get("s").s()),
        version(attributes, "b", "v").orElseThrow(),
        version(attributes, "pb", "pv"));
  }

  private static Optional<Items.Version> version(
      Map<String, AttributeValue> attributes, String batch, String value) {
    return Optional.ofNullable(attributes.get(batch))
        .map(
            number ->
                new Items.Version(
                    Long.parseLong(number.n()),
                    Optional.ofNullable(attributes.get(value)).map(AttributeValue::s)));
  }
}
