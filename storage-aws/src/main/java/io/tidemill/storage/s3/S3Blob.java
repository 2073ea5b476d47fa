package io.tidemill.storage.s3;

import io.tidemill.protocol.Ids;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.Keys;
import io.tidemill.storage.ListedBlob;
import io.tidemill.storage.aws.Retries;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.MetadataDirective;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Objects below a prefix of a bucket. Created with {@code If-None-Match: *}; each creation marks
 * its object with an id of its own, by which a call that finds its key taken knows whether that was
 * itself, in a try whose reply was lost. S3 keeps no folders, so a key that is the folder of
 * another is not noticed here; callers have none.
 *
 * <p>One request per call: PutObject, CopyObject, GetObject, HeadObject, ListObjectsV2 (one per
 * 1,000 keys) or DeleteObject; and a HeadObject if a key is taken. Objects up to 5 GB.
 *
 * <p>Does not close the client. Further error: {@code FORBIDDEN} if S3 refuses a read.
 */
public final class S3Blob implements ListedBlob {
  /** Metadata with the id of the call that created an object. */
  private static final String WRITE = "tidemill-write";

  /** How an object gets a second name. */
  public enum Copying {
    /** S3 copies, and heeds {@code If-None-Match} as it does for a new object. */
    IN_S3,
    /** Through this process: for servers that ignore {@code If-None-Match} on a copy. */
    BY_READING
  }

  private static final String IF_NONE = "*";
  private static final int PAGE = 1000;

  private final S3Client s3;
  private final String bucket;
  private final String prefix;
  private final LocalCopies copies;
  private final Retries retries;
  private final Ids ids;
  private final Copying copying;

  /**
   * @param prefix before all keys: empty, or ending with a slash
   * @param copies where local files of objects are; closed with this
   * @param ids mark the objects created; must differ between processes
   */
  public S3Blob(
      S3Client s3,
      String bucket,
      String prefix,
      LocalCopies copies,
      Retries retries,
      Ids ids,
      Copying copying) {
    if (!prefix.isEmpty() && !prefix.endsWith("/")) {
      throw new IllegalArgumentException("must end with a slash: " + prefix);
    }
    this.s3 = s3;
    this.bucket = bucket;
    this.prefix = prefix;
    this.copies = copies;
    this.retries = retries;
    this.ids = ids;
    this.copying = copying;
  }

  @Override
  public PutOutcome putIfAbsent(String key, byte[] bytes) {
    return put(key, RequestBody.fromBytes(bytes));
  }

  @Override
  public PutOutcome putFileIfAbsent(String key, Path file) {
    PutOutcome outcome = put(key, RequestBody.fromFile(file));
    if (outcome == PutOutcome.COMMITTED) {
      discard(file);
    }
    return outcome;
  }

  private static void discard(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // The object is there, and no error may hide it; the file is in a directory that is cleared.
      return;
    }
  }

  private PutOutcome put(String key, RequestBody body) {
    String object = object(key);
    return create(
        key,
        write ->
            s3.putObject(
                PutObjectRequest.builder()
                    .bucket(bucket)
                    .key(object)
                    .ifNoneMatch(IF_NONE)
                    .metadata(Map.of(WRITE, write))
                    .build(),
                body));
  }

  @Override
  public PutOutcome copyIfAbsent(String fromKey, String toKey) {
    if (copying == Copying.IN_S3) {
      String from = object(fromKey);
      String to = object(toKey);
      return create(toKey, write -> copy(from, to, fromKey, write));
    }
    Path copy = copies.next();
    try {
      if (!fetch(fromKey, copy)) {
        throw missingSource(fromKey, null);
      }
      return put(toKey, RequestBody.fromFile(copy));
    } finally {
      discard(copy);
    }
  }

  private void copy(String from, String to, String fromKey, String write) {
    try {
      s3.copyObject(
          r ->
              r.sourceBucket(bucket)
                  .sourceKey(from)
                  .destinationBucket(bucket)
                  .destinationKey(to)
                  .ifNoneMatch(IF_NONE)
                  .metadataDirective(MetadataDirective.REPLACE)
                  .metadata(Map.of(WRITE, write)));
    } catch (SdkException e) {
      if (S3Failures.isMissing(e)) {
        throw missingSource(fromKey, e);
      }
      throw e;
    }
  }

  private TidemillException missingSource(String key, Throwable cause) {
    return new TidemillException(
            ErrorCode.STORAGE_UNAVAILABLE, "The object to be copied does not exist.", cause)
        .with("location", location())
        .with("key", key);
  }

  /**
   * @param request creates the object, marked with the id given
   */
  private PutOutcome create(String key, Consumer<String> request) {
    String write = ids.next();
    try {
      retries.once(
          () -> {
            request.accept(write);
            return true;
          });
      return PutOutcome.COMMITTED;
    } catch (SdkException e) {
      if (S3Failures.isTaken(e)) {
        return ofTaken(key, write);
      }
      if (Retries.isRefused(e)) {
        throw S3Failures.error(true, location(), key, e);
      }
      return PutOutcome.UNKNOWN;
    }
  }

  private PutOutcome ofTaken(String key, String write) {
    try {
      Optional<HeadObjectResponse> there = head(key);
      return there.map(h -> write.equals(h.metadata().get(WRITE))).orElse(false)
          ? PutOutcome.COMMITTED
          : PutOutcome.CONFLICT;
    } catch (SdkException e) {
      return PutOutcome.UNKNOWN;
    }
  }

  @Override
  public Optional<byte[]> get(String key) {
    String object = object(key);
    return read(
        key,
        () ->
            s3.getObject(r -> r.bucket(bucket).key(object), ResponseTransformer.toBytes())
                .asByteArrayUnsafe());
  }

  @Override
  public Optional<Path> localFile(String key) {
    return copies.get(Keys.checked(key), target -> fetch(key, target));
  }

  @Override
  public Optional<InputStream> open(String key) {
    return read(key, () -> s3.getObject(r -> r.bucket(bucket).key(prefix + key)));
  }

  @Override
  public boolean fetch(String key, Path target) {
    String object = prefix + key;
    return read(
            key,
            () -> {
              discard(target); // Half a file, of a try before.
              return s3.getObject(
                  r -> r.bucket(bucket).key(object), ResponseTransformer.toFile(target));
            })
        .isPresent();
  }

  @Override
  public Optional<Long> size(String key) {
    try {
      return head(key).map(HeadObjectResponse::contentLength);
    } catch (SdkException e) {
      throw S3Failures.error(false, location(), key, e);
    }
  }

  private Optional<HeadObjectResponse> head(String key) {
    String object = object(key);
    try {
      return Optional.of(
          retries.repeatable(() -> s3.headObject(r -> r.bucket(bucket).key(object))));
    } catch (SdkException e) {
      if (S3Failures.isMissing(e)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  @Override
  public List<String> list(String keyPrefix, String startAfter, int limit) {
    return listed(keyPrefix, startAfter, limit).stream().map(Listed::key).toList();
  }

  @Override
  public List<Listed> listed(String keyPrefix, String startAfter, int limit) {
    List<Listed> found = new ArrayList<>();
    String after = startAfter.isEmpty() ? "" : prefix + startAfter;
    boolean more = true;
    while (more && found.size() < limit) {
      int page = Math.min(PAGE, limit - found.size());
      ListObjectsV2Response reply = page(prefix + keyPrefix, after, page);
      for (S3Object object : reply.contents()) {
        after = object.key();
        String key = after.substring(prefix.length());
        // Consoles make empty objects for folders; they are not keys of ours.
        if (!key.isEmpty() && !key.endsWith("/")) {
          found.add(new Listed(key, object.size(), object.lastModified().toEpochMilli()));
        }
      }
      more = Boolean.TRUE.equals(reply.isTruncated()) && !reply.contents().isEmpty();
    }
    return found;
  }

  private ListObjectsV2Response page(String objectPrefix, String after, int limit) {
    try {
      return retries.repeatable(
          () ->
              s3.listObjectsV2(
                  r -> {
                    r.bucket(bucket).prefix(objectPrefix).maxKeys(limit);
                    if (!after.isEmpty()) {
                      r.startAfter(after);
                    }
                  }));
    } catch (SdkException e) {
      throw S3Failures.error(false, location(), objectPrefix, e);
    }
  }

  @Override
  public void delete(String key) {
    String object = object(key);
    try {
      retries.repeatable(() -> s3.deleteObject(r -> r.bucket(bucket).key(object)));
    } catch (SdkException e) {
      throw S3Failures.error(true, location(), key, e);
    }
    copies.forget(key);
  }

  private <T> Optional<T> read(String key, Supplier<? extends T> call) {
    try {
      T value = retries.repeatable(call::get);
      return Optional.of(value);
    } catch (SdkException e) {
      if (S3Failures.isMissing(e)) {
        return Optional.empty();
      }
      throw S3Failures.error(false, location(), key, e);
    }
  }

  private String object(String key) {
    return prefix + Keys.checked(key);
  }

  @Override
  public String location() {
    return "s3://" + bucket + "/" + prefix;
  }

  @Override
  public void close() {
    copies.close();
  }
}
