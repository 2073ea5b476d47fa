package io.tidemill.storage.s3;

import io.tidemill.protocol.Ids;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.Blob;
import io.tidemill.storage.ChainRegister;
import io.tidemill.storage.ListedBlob;
import io.tidemill.storage.Locations;
import io.tidemill.storage.Register;
import io.tidemill.storage.Store;
import io.tidemill.storage.aws.AwsClients;
import io.tidemill.storage.aws.Pause;
import io.tidemill.storage.aws.Retries;
import io.tidemill.storage.dynamo.DynamoRegister;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Locations {@code s3://BUCKET/PREFIX}. Heads and task records of a checkpoint there are in the
 * DynamoDB table that the settings name; without one, they are objects too.
 */
public final class S3Locations implements Locations.Scheme {
  /** Name of this scheme. */
  public static final String SCHEME = "s3";

  /**
   * How long task records are kept. Far longer than a batch is ever replayed for; records gone
   * early only make tasks run again.
   */
  static final Duration RECORDS_KEPT = Duration.ofDays(30);

  private static final Pattern LOCATION =
      Pattern.compile("s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/(.*))?");

  private final AwsClients clients;
  private final Retries retries;
  private final Path directory;
  private final long copiesBytesMax;
  private final InstantSource clock;
  private final Ids ids;

  /**
   * @param clients stay the caller's
   * @param directory for local copies of objects, of this process alone
   * @param copiesBytesMax what the copies of a store may take
   */
  public S3Locations(
      AwsClients clients, Path directory, long copiesBytesMax, InstantSource clock, Ids ids) {
    this.clients = clients;
    this.retries = new Retries(new Random(ids.next().hashCode()), Pause.waiting(), clients.calls());
    this.directory = directory;
    this.copiesBytesMax = copiesBytesMax;
    this.clock = clock;
    this.ids = ids;
  }

  @Override
  public Blob blob(String location) {
    return open(location, directory());
  }

  @Override
  public ListedBlob files(String location) {
    return open(location, directory());
  }

  @Override
  public Store store(String location) {
    Path copies = directory();
    S3Blob blob = open(location, copies);
    Optional<DynamoRegister> items = clients.settings().checkpointTable().map(t -> items(blob, t));
    Register head = items.isPresent() ? items.get() : new ChainRegister(blob);
    return new Store(blob, head, items.map(i -> i.expiring(RECORDS_KEPT, clock)), List.of(copies));
  }

  private DynamoRegister items(S3Blob blob, String table) {
    return new DynamoRegister(clients.dynamo(), table, blob.location(), retries);
  }

  private S3Blob open(String location, Path copies) {
    Matcher matcher = LOCATION.matcher(location);
    if (!matcher.matches()) {
      throw new TidemillException(
              ErrorCode.INVALID_OPTION,
              "A location on S3 is written s3://BUCKET/PREFIX, the bucket in small letters.")
          .with("location", location);
    }
    String prefix = matcher.group(2) == null ? "" : matcher.group(2).replaceFirst("/+$", "");
    boolean own = clients.settings().endpoint("S3").isEmpty();
    return new S3Blob(
        clients.s3(),
        matcher.group(1),
        prefix.isEmpty() ? "" : prefix + "/",
        new LocalCopies(copies, copiesBytesMax, clock),
        retries,
        ids,
        own ? S3Blob.Copying.IN_S3 : S3Blob.Copying.BY_READING);
  }

  /** A directory for the copies of one store. */
  private Path directory() {
    try {
      return Files.createDirectories(directory.resolve("s3-" + ids.next()));
    } catch (IOException e) {
      throw LocalCopies.unavailable(directory, e);
    }
  }
}
