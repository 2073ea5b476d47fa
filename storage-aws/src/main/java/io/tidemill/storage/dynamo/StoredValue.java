package io.tidemill.storage.dynamo;

import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticImmutableTableSchema;

/**
 * An item of the checkpoint table.
 *
 * @param id partition key: the checkpoint's location, "#", the register's name
 * @param version 1 after the first write
 * @param attempt the try that wrote this version
 * @param before the try that wrote the version before; null for the first
 * @param value as {@link PackedValue} makes it
 * @param expires when DynamoDB may delete it, seconds since the epoch; null for never
 */
record StoredValue(
    String id, Long version, String attempt, String before, SdkBytes value, Long expires) {

  /** Collects attributes in any order. */
  static final class Builder {
    private String id;
    private Long version;
    private String attempt;
    private String before;
    private SdkBytes value;
    private Long expires;

    StoredValue build() {
      return new StoredValue(id, version, attempt, before, value, expires);
    }
  }

  /** Written out, so that no class is searched for getters at every cold start. */
  static final TableSchema<StoredValue> SCHEMA =
      StaticImmutableTableSchema.builder(StoredValue.class, Builder.class)
          .newItemBuilder(Builder::new, Builder::build)
          .addAttribute(
              String.class,
              a ->
                  a.name("id")
                      .getter(StoredValue::id)
                      .setter((b, v) -> b.id = v)
                      .tags(StaticAttributeTags.primaryPartitionKey()))
          .addAttribute(
              Long.class,
              a -> a.name("version").getter(StoredValue::version).setter((b, v) -> b.version = v))
          .addAttribute(
              String.class,
              a -> a.name("attempt").getter(StoredValue::attempt).setter((b, v) -> b.attempt = v))
          .addAttribute(
              String.class,
              a -> a.name("before").getter(StoredValue::before).setter((b, v) -> b.before = v))
          .addAttribute(
              SdkBytes.class,
              a -> a.name("value").getter(StoredValue::value).setter((b, v) -> b.value = v))
          .addAttribute(
              Long.class,
              a -> a.name("expires").getter(StoredValue::expires).setter((b, v) -> b.expires = v))
          .build();
}
