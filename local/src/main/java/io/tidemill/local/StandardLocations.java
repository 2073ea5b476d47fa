package io.tidemill.local;

import io.tidemill.protocol.Ids;
import io.tidemill.storage.Locations;
import io.tidemill.storage.aws.AwsClients;
import io.tidemill.storage.aws.AwsSettings;
import io.tidemill.storage.local.LocalPaths;
import io.tidemill.storage.s3.S3Locations;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Function;

/** The kinds of locations that come with Tidemill: paths and {@code s3://}. Thread-safe. */
public final class StandardLocations implements AutoCloseable {
  /** What the local copies of one store may take: less than the smallest disk of a function. */
  private static final long COPIES_BYTES_MAX = 200L << 20;

  private final AwsClients clients;
  private final Locations locations;

  private StandardLocations(AwsClients clients, Locations locations) {
    this.clients = clients;
    this.locations = locations;
  }

  /**
   * Nothing of AWS is touched before a location there is opened.
   *
   * @param environment a variable's value or null, as {@link AwsSettings#of} reads them
   * @param scratch for local copies of objects, of this process alone
   */
  public static StandardLocations of(
      Function<String, String> environment, Path scratch, InstantSource clock, Ids ids) {
    return of(new AwsClients(AwsSettings.of(environment)), scratch, clock, ids);
  }

  /**
   * @param clients closed with this
   */
  public static StandardLocations of(
      AwsClients clients, Path scratch, InstantSource clock, Ids ids) {
    return new StandardLocations(
        clients,
        new Locations(
            Map.of(
                "file",
                new LocalPaths(ids, clock),
                S3Locations.SCHEME,
                new S3Locations(clients, scratch, COPIES_BYTES_MAX, clock, ids))));
  }

  public Locations locations() {
    return locations;
  }

  /** The clients behind {@code s3://}, whose calls are counted. */
  public AwsClients clients() {
    return clients;
  }

  @Override
  public void close() {
    clients.close();
  }
}
